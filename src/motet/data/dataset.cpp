#include "motet/data/dataset.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "motet/base/error.h"

namespace motet {
namespace {

void require_fit(const Dataset& data) {
  const std::size_t items = data.evidence.rows();
  if (data.features.rows() == items && data.evidence.kinds.size() == items) return;
  fail(ErrorKind::internal,
       fmt::format("evidence of {} items does not fit {} rows of features", items, data.features.rows()));
}

bool knows_nothing(EvidenceKind kind) { return kind == EvidenceKind::nothing; }

void require_one_label(const Dataset& data) {
  for (std::size_t n = 0; n < data.evidence.rows(); ++n) {
    const std::size_t labels = data.evidence.candidates(n).size();
    if (data.evidence.kinds[n] != EvidenceKind::known || labels == 1) continue;
    fail(ErrorKind::unanswerable,
         fmt::format("item '{}': its known label set has {} labels; where one label is right, it has to have one",
                     item_name(data.features, n), labels));
  }
}

// Every class as a candidate where nothing is known.
Candidates with_open_items(const Evidence& evidence) {
  Candidates open;
  open.outside = evidence.outside;
  open.starts.reserve(evidence.starts.size());
  for (std::size_t n = 0; n < evidence.rows(); ++n) {
    const bool is_open = knows_nothing(evidence.kinds[n]);
    for (std::uint32_t l = 0; is_open && l < evidence.classes.size(); ++l) {
      open.label.push_back(l);
      if (!evidence.weight.empty()) open.weight.push_back(1.0);
    }
    for (std::size_t i = evidence.starts[n]; !is_open && i < evidence.starts[n + 1]; ++i) {
      open.label.push_back(evidence.label[i]);
      if (!evidence.weight.empty()) open.weight.push_back(evidence.weight[i]);
    }
    open.starts.push_back(open.label.size());
  }
  return open;
}

void require_known_sets(const Dataset& data) {
  for (std::size_t n = 0; n < data.evidence.rows(); ++n) {
    const EvidenceKind kind = data.evidence.kinds[n];
    if (kind == EvidenceKind::known) continue;
    const std::string item = item_name(data.features, n);
    if (knows_nothing(kind)) {
      fail(ErrorKind::unanswerable,
           fmt::format("item '{}': nothing is known of its label set; label sets are learnt from known ones, so leave "
                       "the item out",
                       item));
    }
    fail(ErrorKind::unanswerable,
         fmt::format("item '{}': {} say which one label is right, not which labels are there together; label sets are "
                     "learnt from known ones",
                     item, kind == EvidenceKind::votes ? "votes" : "candidates"));
  }
}

}  // namespace

Dataset rows_of(const Dataset& data, std::span<const std::uint32_t> rows) {
  Dataset part{rows_of(data.features, rows), rows_of(data.evidence, rows), {}};
  if (data.sequences) {
    const std::vector<std::string>& names = data.sequences->sequences;
    part.sequences =
        Sequences{{0, rows.size()}, {names.empty() ? std::string() : names.front()}, data.sequences->clock};
  }
  return part;
}

CandidateItems candidate_items(Dataset data) {
  require_fit(data);
  require_one_label(data);
  Evidence& evidence = data.evidence;
  CandidateItems items;
  const bool has_open = std::any_of(evidence.kinds.begin(), evidence.kinds.end(), knows_nothing);
  static_cast<Candidates&>(items) =
      has_open ? with_open_items(evidence) : std::move(static_cast<Candidates&>(evidence));
  items.features = std::move(data.features);
  items.classes = std::move(evidence.classes);
  items.truth = std::move(evidence.truth);
  return items;
}

LabelledItems labelled_items(Dataset data) {
  require_fit(data);
  const Evidence& evidence = data.evidence;
  LabelledItems items;
  if (!std::all_of(evidence.kinds.begin(), evidence.kinds.end(), knows_nothing)) {
    require_known_sets(data);
    items.sets = BitMatrix(evidence.rows(), evidence.classes.size());
    for (std::size_t n = 0; n < evidence.rows(); ++n) {
      for (const std::uint32_t label : evidence.candidates(n)) items.sets.set(n, label);
    }
  }
  items.features = std::move(data.features);
  items.labels = std::move(data.evidence.classes);
  return items;
}

}  // namespace motet
