#include "motet/measure/label_sets.h"

#include <algorithm>
#include <cmath>

#include "motet/base/error.h"
#include "motet/base/numeric.h"
#include "motet/data/labelled_items.h"

namespace motet {
namespace {

double number(std::size_t count) { return static_cast<double>(count); }
double ratio(double part, double whole) { return whole > 0.0 ? part / whole : 0.0; }
double share_error(double share, std::size_t items) { return std::sqrt(ratio(share * (1.0 - share), number(items))); }

void require_same_size(std::size_t a, std::size_t b) {
  if (a != b) fail(ErrorKind::internal, "measure: values of different numbers of items");
}

bool same_row(const BitMatrix& a, const BitMatrix& b, std::size_t n) {
  return std::equal(a.row(n).begin(), a.row(n).end(), b.row(n).begin());
}

// Labels that the two sets of an item share.
std::size_t common(const BitMatrix& a, const BitMatrix& b, std::size_t n) {
  std::size_t count = 0;
  for (std::size_t w = 0; w < a.words(); ++w) {
    count += static_cast<std::size_t>(std::popcount(a.row(n)[w] & b.row(n)[w]));
  }
  return count;
}

void balance_errors(const BitMatrix& truth, const BitMatrix& predicted, const LabelSetIndex& index,
                    LabelSetQuality& quality) {
  std::vector<std::size_t> wrong(index.size());
  for (std::size_t n = 0; n < truth.rows(); ++n) wrong[index.of_row[n]] += same_row(truth, predicted, n) ? 0 : 1;
  double sum = 0.0;
  double variance = 0.0;
  for (std::size_t s = 0; s < index.size(); ++s) {
    const double items = number(index.count(s));
    sum += ratio(number(wrong[s]), items);
    const double share = (number(wrong[s]) + 0.5) / (items + 1.0);
    variance += share * (1.0 - share) / items;
  }
  quality.balanced_error_rate = ratio(sum, number(index.size()));
  quality.balanced_error_rate_error = ratio(std::sqrt(variance), number(index.size()));
}

std::vector<LabelCounts> counts_of(const BitMatrix& truth, const BitMatrix& predicted) {
  std::vector<LabelCounts> counts(truth.columns());
  for (std::size_t n = 0; n < truth.rows(); ++n) {
    for_each_bit(truth.row(n),
                 [&](std::size_t k) { ++(predicted(n, k) ? counts[k].true_positive : counts[k].false_negative); });
    for_each_bit(predicted.row(n), [&](std::size_t k) { counts[k].false_positive += truth(n, k) ? 0 : 1; });
  }
  for (LabelCounts& c : counts) {
    c.true_negative = truth.rows() - c.true_positive - c.false_positive - c.false_negative;
  }
  return counts;
}

// Weights of true positives, false positives and false negatives in a ratio a/b.
struct RatioOfCounts {
  double true_part, true_whole, false_positive, false_negative;
  double of(const LabelCounts& c) const { return ratio(true_part * number(c.true_positive), whole(c)); }
  double whole(const LabelCounts& c) const {
    return true_whole * number(c.true_positive) + false_positive * number(c.false_positive) +
           false_negative * number(c.false_negative);
  }
};
constexpr RatioOfCounts precision_ratio{1.0, 1.0, 1.0, 0.0};
constexpr RatioOfCounts recall_ratio{1.0, 1.0, 0.0, 1.0};
constexpr RatioOfCounts f1_ratio{2.0, 2.0, 1.0, 1.0};

// Standard error of the mean over `counts` of a ratio; label k is in counts[group(k)].
template <class Group>
double ratio_error(const RatioOfCounts& of, const std::vector<LabelCounts>& counts, const BitMatrix& truth,
                   const BitMatrix& predicted, const Group& group) {
  if (truth.rows() < 2) return 0.0;
  std::vector<double> value, scale;
  for (const LabelCounts& c : counts) {
    value.push_back(of.of(c));
    scale.push_back(ratio(1.0, of.whole(c) * number(counts.size())));
  }
  double squares = 0.0;
  for (std::size_t n = 0; n < truth.rows(); ++n) {
    double moved = 0.0;
    for_each_bit(truth.row(n), [&](std::size_t k) {
      const std::size_t g = group(k);
      const bool found = predicted(n, k);
      moved += scale[g] * ((found ? of.true_part : 0.0) - (found ? of.true_whole : of.false_negative) * value[g]);
    });
    for_each_bit(predicted.row(n), [&](std::size_t k) {
      if (!truth(n, k)) moved -= scale[group(k)] * of.false_positive * value[group(k)];
    });
    squares += moved * moved;
  }
  return std::sqrt(squares * number(truth.rows()) / number(truth.rows() - 1));
}

}  // namespace

double LabelCounts::precision() const { return ratio(number(true_positive), number(true_positive + false_positive)); }
double LabelCounts::recall() const { return ratio(number(true_positive), number(true_positive + false_negative)); }
double LabelCounts::f1() const {
  return ratio(2.0 * number(true_positive), number(2 * true_positive + false_positive + false_negative));
}

LabelSetQuality label_set_quality(const BitMatrix& truth, const BitMatrix& predicted) {
  require_same_shape(truth, predicted);
  LabelSetQuality quality;
  quality.items = truth.rows();
  const double items = number(quality.items);
  const LabelSetIndex index = index_label_sets(truth);
  quality.label_sets = index.size();
  const double labels = number(truth.columns());
  std::size_t wrong = 0;
  std::vector<double> hamming, precision, recall, f1;  // of each item
  for (std::size_t n = 0; n < truth.rows(); ++n) {
    wrong += same_row(truth, predicted, n) ? 0 : 1;
    const double both = number(common(truth, predicted, n));
    const double of_truth = number(truth.count(n));
    const double of_predicted = number(predicted.count(n));
    hamming.push_back(ratio(of_truth + of_predicted - 2.0 * both, labels));
    precision.push_back(ratio(both, of_predicted));
    recall.push_back(ratio(both, of_truth));
    f1.push_back(ratio(2.0 * both, of_truth + of_predicted));
  }
  const auto mean = [](const std::vector<double>& values, double& error) {
    const MeanSd over_items = mean_sd(values);
    error = over_items.error;
    return over_items.mean;
  };
  quality.hamming_loss_error = mean_sd(hamming).error;
  quality.precision = mean(precision, quality.precision_error);
  quality.recall = mean(recall, quality.recall_error);
  quality.f1 = mean(f1, quality.f1_error);
  quality.error_rate = ratio(number(wrong), items);
  quality.error_rate_error = share_error(quality.error_rate, quality.items);
  balance_errors(truth, predicted, index, quality);

  quality.per_label = counts_of(truth, predicted);
  LabelCounts all;
  for (const LabelCounts& c : quality.per_label) {
    all.true_positive += c.true_positive;
    all.false_positive += c.false_positive;
    all.false_negative += c.false_negative;
    all.true_negative += c.true_negative;
    quality.macro_precision += ratio(c.precision(), labels);
    quality.macro_recall += ratio(c.recall(), labels);
    quality.macro_f1 += ratio(c.f1(), labels);
  }
  quality.hamming_loss = ratio(number(all.false_positive + all.false_negative), items * labels);
  quality.micro_precision = all.precision();
  quality.micro_recall = all.recall();
  quality.micro_f1 = all.f1();
  const auto error = [&](const RatioOfCounts& of, double& macro, double& micro) {
    macro = ratio_error(of, quality.per_label, truth, predicted, [](std::size_t k) { return k; });
    micro = ratio_error(of, {all}, truth, predicted, [](std::size_t) { return std::size_t{0}; });
  };
  error(precision_ratio, quality.macro_precision_error, quality.micro_precision_error);
  error(recall_ratio, quality.macro_recall_error, quality.micro_recall_error);
  error(f1_ratio, quality.macro_f1_error, quality.micro_f1_error);
  return quality;
}

std::vector<SetConfusion> most_confused(const BitMatrix& truth, const BitMatrix& predicted, std::size_t most) {
  require_same_shape(truth, predicted);
  const LabelSetIndex of_truth = index_label_sets(truth);
  const LabelSetIndex of_predicted = index_label_sets(predicted);
  std::vector<std::pair<std::uint32_t, std::uint32_t>> pairs;
  for (std::size_t n = 0; n < truth.rows(); ++n) {
    if (!same_row(truth, predicted, n)) pairs.emplace_back(of_truth.of_row[n], of_predicted.of_row[n]);
  }
  std::sort(pairs.begin(), pairs.end());
  struct Counted {
    std::pair<std::uint32_t, std::uint32_t> pair;
    std::size_t items;
  };
  std::vector<Counted> counted;
  for (const auto& pair : pairs) {
    if (counted.empty() || counted.back().pair != pair) counted.push_back({pair, 0});
    ++counted.back().items;
  }
  // Stable, so that equally frequent pairs stay in the order of their sets.
  std::stable_sort(counted.begin(), counted.end(),
                   [](const Counted& a, const Counted& b) { return a.items > b.items; });
  counted.resize(std::min(most, counted.size()));
  std::vector<SetConfusion> result;
  for (const Counted& c : counted) {
    const auto t = of_truth.sets.row(c.pair.first);
    const auto p = of_predicted.sets.row(c.pair.second);
    result.push_back({{t.begin(), t.end()}, {p.begin(), p.end()}, c.items});
  }
  return result;
}

Reliability reliability(std::span<const double> probability, std::span<const std::uint8_t> right, std::size_t bins) {
  require_same_size(probability.size(), right.size());
  std::vector<ReliabilityBin> all(std::max<std::size_t>(bins, 1));
  for (std::size_t n = 0; n < probability.size(); ++n) {
    const double position = std::clamp(probability[n], 0.0, 1.0) * number(all.size());
    ReliabilityBin& bin = all[std::min(static_cast<std::size_t>(position), all.size() - 1)];
    ++bin.items;
    bin.mean_probability += probability[n];
    bin.share_right += right[n] != 0 ? 1.0 : 0.0;
  }
  Reliability result;
  for (ReliabilityBin& bin : all) {
    if (bin.items == 0) continue;
    bin.mean_probability /= number(bin.items);
    bin.share_right /= number(bin.items);
    bin.error = share_error(bin.share_right, bin.items);
    const double share = number(bin.items) / number(probability.size());
    result.expected_calibration_error += share * std::abs(bin.mean_probability - bin.share_right);
    result.bins.push_back(bin);
  }
  return result;
}

std::vector<RejectPoint> reject_curve(std::span<const double> probability, std::span<const std::uint8_t> right,
                                      std::size_t points) {
  require_same_size(probability.size(), right.size());
  const std::size_t items = probability.size();
  std::vector<RejectPoint> curve;
  if (items == 0 || points < 2) return curve;
  std::vector<std::uint32_t> order(items);
  for (std::size_t n = 0; n < items; ++n) order[n] = static_cast<std::uint32_t>(n);
  std::sort(order.begin(), order.end(), [&](std::uint32_t a, std::uint32_t b) {
    return probability[a] != probability[b] ? probability[a] > probability[b] : a < b;
  });
  std::vector<std::size_t> wrong(items + 1, 0);  // among the surest
  for (std::size_t i = 0; i < items; ++i) wrong[i + 1] = wrong[i] + (right[order[i]] != 0 ? 0 : 1);
  std::size_t last = items + 1;
  for (std::size_t p = 0; p + 1 < points; ++p) {
    std::size_t kept = items - (items * p) / (points - 1);
    // A threshold keeps all items that are equally sure.
    while (kept < items && probability[order[kept]] == probability[order[kept - 1]]) ++kept;
    if (kept == last) continue;
    last = kept;
    curve.push_back({probability[order[kept - 1]], number(kept) / number(items), number(wrong[kept]) / number(kept)});
  }
  return curve;
}

Rejection rejection_below(double threshold, std::span<const double> probability, std::span<const std::uint8_t> right) {
  require_same_size(probability.size(), right.size());
  Rejection result;
  std::size_t wrong = 0;
  for (std::size_t n = 0; n < right.size(); ++n) {
    const bool rejected = probability[n] < threshold;
    result.items += rejected ? 1 : 0;
    wrong += rejected || right[n] != 0 ? 0 : 1;
  }
  const double kept = number(right.size() - result.items);  // 0: NaN
  result.kept_error = number(wrong) / kept;
  result.kept_error_se = std::sqrt(result.kept_error * (1.0 - result.kept_error) / kept);
  return result;
}

double parameter_distance(std::span<const double> truth, std::span<const double> estimate, std::size_t dimensions,
                          double p) {
  require_same_size(truth.size(), estimate.size());
  if (dimensions == 0 || truth.size() % dimensions != 0) {
    fail(ErrorKind::internal, "measure: parameters that are no whole number of sources");
  }
  double sum = 0.0;
  for (std::size_t first = 0; first < truth.size(); first += dimensions) {
    double of_source = 0.0;
    for (std::size_t i = first; i < first + dimensions; ++i) {
      const double difference = std::abs(truth[i] - estimate[i]);
      of_source += p == 0.0 ? (difference != 0.0 ? 1.0 : 0.0) : std::pow(difference, p);
    }
    sum += p == 0.0 ? of_source : std::pow(of_source, 1.0 / p);
  }
  return ratio(sum, number(truth.size()));
}

double mean_squared_error(std::span<const double> truth, std::span<const double> estimate) {
  require_same_size(truth.size(), estimate.size());
  double sum = 0.0;
  for (std::size_t i = 0; i < truth.size(); ++i) sum += (truth[i] - estimate[i]) * (truth[i] - estimate[i]);
  return ratio(sum, number(truth.size()));
}

double root_mean_square(std::span<const double> truth, std::span<const double> estimate) {
  return std::sqrt(mean_squared_error(truth, estimate));
}

}  // namespace motet
