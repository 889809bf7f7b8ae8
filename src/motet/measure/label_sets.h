// How well predicted label sets agree with the true ones. Pure functions.
//
// 0/0 in precision, recall and F counts as 0. The balanced error rate is the mean over true
// sets, those with at least one item, of the share of their items that got another set.
//
// Precision, recall and F of the documents, (2.17) to (2.19) of the thesis and section 5.1 of the
// paper, are those of each label, averaged over labels: macro_... here. Without a prefix they are
// those of each item, averaged over items, and micro_... count all pairs of item and label together.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "motet/data/bit_matrix.h"

namespace motet {

struct LabelCounts {
  std::size_t true_positive = 0, false_positive = 0, false_negative = 0, true_negative = 0;
  double precision() const;
  double recall() const;
  double f1() const;
};

struct LabelSetQuality {
  std::size_t items = 0;
  std::size_t label_sets = 0;     // different true ones
  double error_rate = 0.0;        // another set than the true one
  double error_rate_error = 0.0;  // its standard error
  double balanced_error_rate = 0.0;
  double hamming_loss = 0.0;
  double precision = 0.0, recall = 0.0, f1 = 0.0;  // of each item, then averaged over items
  // Standard errors of these means over items.
  double hamming_loss_error = 0.0;
  double precision_error = 0.0, recall_error = 0.0, f1_error = 0.0;
  double micro_precision = 0.0, micro_recall = 0.0, micro_f1 = 0.0;
  double macro_precision = 0.0, macro_recall = 0.0, macro_f1 = 0.0;  // of each label, then averaged over labels
  // Standard errors over items, to first order: an item moves a ratio a/b by (a_n - b_n a/b) / b. Of the balanced
  // error: of the shares of its sets, with half an item added to each side, so that a set of one item has one too.
  double balanced_error_rate_error = 0.0;
  double micro_precision_error = 0.0, micro_recall_error = 0.0, micro_f1_error = 0.0;
  double macro_precision_error = 0.0, macro_recall_error = 0.0, macro_f1_error = 0.0;
  std::vector<LabelCounts> per_label;
};
LabelSetQuality label_set_quality(const BitMatrix& truth, const BitMatrix& predicted);

// Pairs of sets that are confused: how many items of the first got the second; most frequent first.
struct SetConfusion {
  std::vector<std::uint64_t> truth, predicted;  // bits of a row
  std::size_t items = 0;
};
std::vector<SetConfusion> most_confused(const BitMatrix& truth, const BitMatrix& predicted, std::size_t most);

// Reliability of probabilities: bins of equal width, and the expected calibration error,
// sum over bins of share x |mean probability - share right|.
struct ReliabilityBin {
  double mean_probability = 0.0;
  double share_right = 0.0;
  double error = 0.0;  // standard error of share_right
  std::size_t items = 0;
};
struct Reliability {
  std::vector<ReliabilityBin> bins;  // those with items
  double expected_calibration_error = 0.0;
};
Reliability reliability(std::span<const double> probability, std::span<const std::uint8_t> right,
                        std::size_t bins = 10);

// Error among the items kept when the least sure are set aside: (coverage, error), coverage falling.
struct RejectPoint {
  double threshold = 0.0, coverage = 0.0, error = 0.0;
};
std::vector<RejectPoint> reject_curve(std::span<const double> probability, std::span<const std::uint8_t> right,
                                      std::size_t points = 21);

// What setting aside those below one threshold leaves.
struct Rejection {
  std::size_t items = 0;       // that are set aside
  double kept_error = 0.0;     // share of the others that are wrong; NaN without any
  double kept_error_se = 0.0;  // its standard error
};
Rejection rejection_below(double threshold, std::span<const double> probability, std::span<const std::uint8_t> right);

// Distances between true and estimated parameters, both sources x D.
// a_p = 1/(K D) sum_k (sum_d |diff|^p)^(1/p); p = 0: share of differing entries.
double parameter_distance(std::span<const double> truth, std::span<const double> estimate, std::size_t dimensions,
                          double p);
double mean_squared_error(std::span<const double> truth, std::span<const double> estimate);
double root_mean_square(std::span<const double> truth, std::span<const double> estimate);

}  // namespace motet
