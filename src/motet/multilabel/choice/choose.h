// Which way of training suits the data: cross-validation inside the training items.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "motet/base/run.h"
#include "motet/data/labelled_items.h"
#include "motet/multilabel/model.h"

namespace motet::multilabel {

// Ways worth trying on these data: families that fit the values, combinations, covariances,
// preparations. What `options` says of standardize, pca, kernel, shrinkage and prior holds for all of
// them, and so does what options.given names, where the method has it at all (`new` has no combination,
// background or noise). Ways have a prior worth one item at least, without which rare labels fail.
// Throws Error{usage} when what was given leaves no way.
std::vector<TrainOptions> ways_to_train(const LabelledItems& items, const TrainOptions& options);

std::string name_of_way(const TrainOptions& way);  // "deconvolution sum point background noise kernel 0.7 pca 250"

// Exact-match error of each way over stratified folds. The first is the choice: among those whose
// error is above the least one by no more than one standard error of the difference on the same
// items, that with the least log-loss; the others follow by error. A way that cannot be fitted in
// some fold is left out; when none is left, throws Error{unanswerable} with the reason of the first.
// Of more than 5,000 items a stratified sample of about so many is used.
std::vector<Trial> try_ways(const LabelledItems& items, const std::vector<TrainOptions>& ways, std::size_t folds,
                            const RunContext& run);

// Posterior of the chosen set, whether it was right, log p(x) of each item, from models that
// had not seen it. Folds differ from those of try_ways.
struct HeldOut {
  std::vector<double> posterior;
  std::vector<std::uint8_t> right;
  std::vector<double> log_evidence;
};
HeldOut held_out(const LabelledItems& items, const TrainOptions& options, std::size_t folds, const RunContext& run);

// Maximum of the likelihood of right and wrong times a normal prior of unit variance about
// intercept 0 and slope 1, so that few items change little.
Calibration calibrate(const HeldOut& held_out);

// Without calibration: what is likely and unlikely among the training items themselves, 10,000 of them at most, for
// outliers. The model has seen them, so new items lie beyond its quantiles a little more often than the level says.
Calibration seen_densities(const MultilabelModel& model, std::span<const double> x, Threads threads);

double calibrated(const Calibration& calibration, double posterior);

}  // namespace motet::multilabel
