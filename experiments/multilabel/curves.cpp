#include "experiments/multilabel/curves.h"

#include <fmt/format.h>

#include <cmath>
#include <limits>

#include "motet/base/numeric.h"
#include "motet/report/plots.h"

namespace motet {
namespace {

constexpr double no_number = std::numeric_limits<double>::quiet_NaN();

std::string text_of(const Measured& measured, int digits) {
  if (std::isnan(measured.value)) return "";
  return measured.error > 0.0 ? with_error(measured.value, measured.error, digits)
                              : fmt::format("{:.{}f}", measured.value, digits);
}

}  // namespace

const double Curves::no_theory = no_number;

Measured mean_of(const std::vector<double>& values) {
  const MeanSd found = mean_sd(values);
  return {found.mean, values.size() > 1 ? found.error : 0.0};
}

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
    // A reference without an error of its own came from as many runs as ours, and was rounded.
    constexpr double rounding = 0.0005 / 1.7320508;
    const double other = place.reference.error > 0.0 ? place.reference.error : std::hypot(ours.error, rounding);
    const double error = std::hypot(ours.error, other);
    if (error > 0.0) {
      place.away = (ours.value - place.reference.value) / error;
      ++compared_;
      if (std::abs(place.away) > 3.0) ++far_;
    }
  }
  places_.push_back(std::move(place));
}

void Curves::write(ExperimentWriter& writer, bool log_y, int digits) const {
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

void note_agreement(ExperimentWriter& writer, const std::vector<const Curves*>& curves) {
  std::size_t compared = 0;
  std::size_t far = 0;
  for (const Curves* one : curves) {
    compared += one->compared();
    far += one->far();
  }
  writer.note(fmt::format("{} of {} references lie within three standard errors", compared - far, compared));
}

}  // namespace motet
