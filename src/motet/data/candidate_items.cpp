#include "motet/data/candidate_items.h"

#include <fmt/format.h>

#include <cmath>

#include "motet/base/error.h"

namespace motet {
namespace {

// "row 3", or "row 3 ('bird7')" where items have names.
std::string place_of(const CandidateItems& items, std::size_t n) {
  if (n >= items.features.items.size()) return fmt::format("row {}", n + 1);
  return fmt::format("row {} ('{}')", n + 1, items.features.items[n]);
}

void check_row(const CandidateItems& items, std::size_t n) {
  const std::size_t begin = items.starts[n];
  const std::size_t end = items.starts[n + 1];
  if (begin == end) {
    fail(ErrorKind::bad_data, fmt::format("{}: the set of candidates is empty; name every label for an item nobody "
                                          "labelled",
                                          place_of(items, n)));
  }
  for (std::size_t i = begin; i < end; ++i) {
    if (items.label[i] >= items.classes.size()) {
      fail(ErrorKind::bad_data, fmt::format("{}: candidate {} is not one of the {} classes", place_of(items, n),
                                            items.label[i], items.classes.size()));
    }
    if (i > begin && items.label[i] <= items.label[i - 1]) {
      fail(ErrorKind::bad_data, fmt::format("{}: candidate '{}' is named twice or out of order", place_of(items, n),
                                            items.classes[items.label[i]]));
    }
    const double weight = items.weight_at(i);
    if (!(weight > 0.0) || !std::isfinite(weight)) {
      fail(ErrorKind::bad_data, fmt::format("{}: weight = {} of candidate '{}' is not a positive number",
                                            place_of(items, n), weight, items.classes[items.label[i]]));
    }
  }
  for (const double value : items.features.row(n)) {
    if (!std::isfinite(value)) {
      fail(ErrorKind::bad_data, fmt::format("{}: feature = {} is not a finite number", place_of(items, n), value));
    }
  }
  if (items.truth.empty() || items.truth[n] < 0) return;
  if (static_cast<std::size_t>(items.truth[n]) >= items.classes.size()) {
    fail(ErrorKind::bad_data, fmt::format("{}: true label {} is not one of the {} classes", place_of(items, n),
                                          items.truth[n], items.classes.size()));
  }
}

}  // namespace

CandidateItems rows_of(const CandidateItems& items, std::span<const std::uint32_t> rows) {
  CandidateItems part{
      rows_of(static_cast<const Candidates&>(items), rows), rows_of(items.features, rows), items.classes, {}};
  for (const std::uint32_t row : rows) {
    if (!items.truth.empty()) part.truth.push_back(items.truth[row]);
  }
  return part;
}

void check_candidates(const CandidateItems& items) {
  if (items.rows() == 0) fail(ErrorKind::unanswerable, "there are no items");
  if (items.classes.size() < 2) {
    fail(ErrorKind::unanswerable,
         items.classes.empty()
             ? "there are no classes; at least two are needed"
             : fmt::format("'{}' is the only class; at least two are needed to tell apart", items.classes.front()));
  }
  if (!(items.outside >= 0.0) || !std::isfinite(items.outside)) {
    fail(ErrorKind::usage, fmt::format("outside = {} is not a number of at least 0", items.outside));
  }
  if (items.features.rows() != items.rows() || (!items.truth.empty() && items.truth.size() != items.rows()) ||
      items.starts.back() != items.label.size() ||
      (!items.weight.empty() && items.weight.size() != items.label.size())) {
    fail(ErrorKind::internal,
         fmt::format("candidates of {} items do not fit {} rows of features", items.rows(), items.features.rows()));
  }
  for (std::size_t n = 0; n < items.rows(); ++n) check_row(items, n);
}

std::vector<std::uint32_t> never_candidates(const CandidateItems& items) {
  std::vector<bool> seen(items.classes.size());
  for (const std::uint32_t label : items.label) seen[label] = true;
  std::vector<std::uint32_t> never;
  for (std::uint32_t l = 0; l < seen.size(); ++l) {
    if (!seen[l]) never.push_back(l);
  }
  return never;
}

}  // namespace motet
