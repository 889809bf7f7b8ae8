#include "motet/base/error.h"
#include "motet/data/bit_matrix.h"
#include "motet/door/inside.h"
#include "motet/measure/boolean.h"
#include "motet/measure/label_sets.h"
#include "motet/measure/stability.h"

// Last: a name at the door, such as Votes, may have another meaning inside.
#include "motet/measure.h"

namespace motet::measure {
namespace {

BitMatrix inside(const YesNo& table) {
  door::require_size("table: values", table.values.size(), table.rows() * table.columns);
  BitMatrix bits(table.rows(), table.columns);
  for (std::size_t i = 0; i < table.values.size(); ++i) {
    if (table.values[i] != 0) bits.set(i / table.columns, i % table.columns);
  }
  return bits;
}

void require_alike(const YesNo& a, const YesNo& b) {
  door::require_size("tables: columns", b.columns, a.columns);
  door::require_size("tables: rows", b.rows(), a.rows());
}

void require_probabilities(std::span<const double> probability, std::span<const std::uint8_t> right) {
  door::require_size("right", right.size(), probability.size());
  for (const double p : probability) {
    if (!(p >= 0.0 && p <= 1.0)) fail(ErrorKind::bad_data, "probability: " + to_text(p) + " is outside [0, 1]");
  }
}

}  // namespace

std::vector<Figure> label_sets(const YesNo& truth, const YesNo& predicted) {
  require_alike(truth, predicted);
  const LabelSetQuality found = label_set_quality(inside(truth), inside(predicted));
  return {{"error_rate", found.error_rate, found.error_rate_error},
          {"balanced_error_rate", found.balanced_error_rate, found.balanced_error_rate_error},
          {"hamming_loss", found.hamming_loss, found.hamming_loss_error},
          {"precision", found.precision, found.precision_error},
          {"recall", found.recall, found.recall_error},
          {"f1", found.f1, found.f1_error},
          {"micro_precision", found.micro_precision, found.micro_precision_error},
          {"micro_recall", found.micro_recall, found.micro_recall_error},
          {"micro_f1", found.micro_f1, found.micro_f1_error},
          {"macro_precision", found.macro_precision, found.macro_precision_error},
          {"macro_recall", found.macro_recall, found.macro_recall_error},
          {"macro_f1", found.macro_f1, found.macro_f1_error}};
}

Reliability reliability(std::span<const double> probability, std::span<const std::uint8_t> right, std::size_t bins) {
  require_probabilities(probability, right);
  if (bins == 0) fail(ErrorKind::usage, "bins: there must be one at least");
  const motet::Reliability found = motet::reliability(probability, right, bins);
  Reliability result{{}, found.expected_calibration_error};
  for (const ReliabilityBin& bin : found.bins) {
    result.bins.push_back({bin.mean_probability, bin.share_right, bin.error, bin.items});
  }
  return result;
}

std::vector<Rejection> reject_curve(std::span<const double> probability, std::span<const std::uint8_t> right,
                                    std::size_t points) {
  require_probabilities(probability, right);
  if (points < 2) fail(ErrorKind::usage, "points: there must be two at least");
  std::vector<Rejection> result;
  for (const RejectPoint& point : motet::reject_curve(probability, right, points)) {
    result.push_back({point.threshold, point.coverage, point.error});
  }
  return result;
}

RoleMatch match_roles(const YesNo& truth, const YesNo& found) {
  door::require_size("tables: columns", found.columns, truth.columns);
  const motet::RoleMatch match = motet::match_roles(inside(truth), inside(found));
  RoleMatch result{match.error, {}};
  for (const std::size_t partner : match.partner) {
    result.partner.push_back(partner == motet::RoleMatch::none ? -1 : static_cast<std::int64_t>(partner));
  }
  return result;
}

double reconstruction_error(const YesNo& reconstruction, const YesNo& data) {
  require_alike(reconstruction, data);
  return motet::reconstruction_error(inside(reconstruction), inside(data));
}

double coverage(const YesNo& reconstruction, const YesNo& data) {
  require_alike(reconstruction, data);
  return motet::coverage(inside(reconstruction), inside(data), true);
}

Stability stability(const YesNo& first, const YesNo& second, std::size_t draws, const Run& run) {
  door::require_size("tables: rows", second.rows(), first.rows());
  if (draws == 0) fail(ErrorKind::usage, "draws: there must be one at least");
  const motet::Stability found = motet::stability(inside(first), inside(second), 2, draws, door::inside(run));
  return {found.observed.share, found.corrected};
}

}  // namespace motet::measure
