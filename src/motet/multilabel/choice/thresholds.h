// Above which probability a label is given, where single labels count and not whole sets.
//
// Held-out items are counted at thresholds 0.05, 0.10, ... 0.95, label by label. For Hamming loss the threshold is 1/2,
// for micro F1 one for all labels, for macro F1 one for each; a label of fewer than three held-out items takes that of
// micro F1, as nothing can be learnt from so few.
#pragma once

#include <array>
#include <cstddef>
#include <span>
#include <vector>

#include "motet/multilabel/options.h"

namespace motet::multilabel {

inline constexpr std::size_t threshold_steps = 19;
constexpr double threshold_at(std::size_t step) { return 0.05 * static_cast<double>(step + 1); }

// How often each label is given at each threshold, and rightly so; how often it is there.
struct ThresholdCounts {
  std::size_t labels = 0;
  std::vector<double> given;  // labels x threshold_steps
  std::vector<double> right;  // likewise
  std::vector<double> there;  // labels

  explicit ThresholdCounts(std::size_t label_count = 0);
  // An item: the probability of each label, and whether it is there.
  void add(std::span<const double> marginal, std::span<const double> truth);
  void add(const ThresholdCounts& others);
};

// One per label, for a decision by label.
std::vector<double> best_thresholds(const ThresholdCounts& counts, Optimize optimize);

// 1 - F1 at the best thresholds.
double f1_loss(const ThresholdCounts& counts, Optimize optimize);

}  // namespace motet::multilabel
