#include "experiments/multilabel/curves.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "motet/base/numeric.h"
#include "motet/report/line_plot.h"

namespace motet::multilabel {
namespace {}  // namespace

const double Curves::no_theory = no_number;

Measured root_mean_of(const std::vector<double>& squares) {
  const MeanSd found = mean_sd(squares);
  const double root = std::sqrt(found.mean);
  return {root, squares.size() > 1 && root > 0.0 ? 0.5 * found.error / root : 0.0};
}

void Curves::add(const std::string& training, double items, Measured ours, double theory,
                 const std::map<double, Measured>& reference) {
  Place place{training, items, ours, theory, {no_number, 0.0}, no_number};
  const auto found = reference.find(items);
  if (found != reference.end()) {
    place.reference = found->second;
    place.away = away(ours, place.reference);
  }
  places_.push_back(std::move(place));
}

void Curves::write(ExperimentWriter& writer, ReferenceAgreement& agreement, bool log_y, int digits) const {
  bool has_theory = false;
  bool has_reference = false;
  for (const Place& place : places_) {
    has_theory = has_theory || !std::isnan(place.theory);
    has_reference = has_reference || !std::isnan(place.reference.value);
  }
  Table table{{{"training"}, {"items", 0}, {"ours"}}, {}};
  if (has_theory) table.columns.push_back({"corrected theory", digits});
  if (has_reference) {
    table.columns.push_back({"reference"});
    table.columns.push_back({"away in standard errors", 1});
  }
  Lines lines;
  lines.x_title = "training items";
  lines.y_title = y_title_;
  lines.log_x = true;
  lines.log_y = log_y;
  const auto series = [&](const std::string& name, bool published) -> Series& {
    for (Series& one : lines.series) {
      if (one.name == name && one.is_published == published) return one;
    }
    Series added;
    added.name = name;
    added.is_published = published;
    lines.series.push_back(std::move(added));
    return lines.series.back();
  };
  for (const Place& place : places_) {
    std::vector<Cell> row{place.training, static_cast<std::int64_t>(place.items), text_of(place.ours, digits)};
    if (has_theory) row.emplace_back(place.theory);
    if (has_reference) {
      row.emplace_back(text_of(place.reference, digits));
      row.emplace_back(place.away);
    }
    table.rows.push_back(std::move(row));
    agreement.add(fmt::format("{}, {} with {} items", title_, place.training, place.items), text_of(place.ours, digits),
                  text_of(place.reference, digits), place.away);
    Series& ours = series(place.training, false);
    ours.x.push_back(place.items);
    ours.y.push_back(place.ours.value);
    ours.low.push_back(place.ours.value - 2.0 * place.ours.error);
    ours.high.push_back(place.ours.value + 2.0 * place.ours.error);
  }
  // Theory where there is one, else the reference, as open marks in the colour of the training.
  for (const Place& place : places_) {
    const double mark = has_theory ? place.theory : place.reference.value;
    if (std::isnan(mark)) continue;
    Series& marks = series(place.training, true);
    marks.x.push_back(place.items);
    marks.y.push_back(mark);
  }
  writer.table(title_, std::move(table));
  const std::string marks = has_theory ? " Open marks are the corrected theory." : " Open marks are the reference.";
  writer.plot(
      line_plot({title_, "Bands are two standard errors." + (has_theory || has_reference ? marks : "")}, lines));
}

std::string leaders_text(const std::map<std::string, std::size_t>& counts) {
  std::vector<std::pair<std::string, std::size_t>> order(counts.begin(), counts.end());
  std::stable_sort(order.begin(), order.end(), [](const auto& a, const auto& b) { return a.second > b.second; });
  std::string text;
  for (const auto& [name, count] : order) text += fmt::format("{}{} ({})", text.empty() ? "" : ", ", name, count);
  return text;
}

}  // namespace motet::multilabel
