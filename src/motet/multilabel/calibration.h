// How far a posterior is to be trusted, and what is unlike the training items.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "motet/base/parallel.h"
#include "motet/multilabel/choice/thresholds.h"
#include "motet/multilabel/model.h"

namespace motet::multilabel {

// Posterior of the chosen set, whether it was right, log p(x) of each item, from models that had not
// seen it.
struct HeldOut {
  std::vector<double> posterior;
  std::vector<std::uint8_t> right;
  std::vector<double> log_evidence;
  ThresholdCounts counts = ThresholdCounts{};  // where the options' optimize is by label
};

// Maximum of the likelihood of right and wrong times a normal prior of unit variance about
// intercept 0 and slope 1, so that few items change little.
Calibration calibrate(const HeldOut& held_out);

// Without calibration: what is likely and unlikely among the training items themselves, 10,000 of them at most, for
// outliers. The model has seen them, so new items lie beyond its quantiles a little more often than the level says.
Calibration seen_densities(const MultilabelModel& model, std::span<const double> x, Threads threads);

double calibrated(const Calibration& calibration, double posterior);

}  // namespace motet::multilabel
