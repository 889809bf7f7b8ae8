// The ways of training that `auto` tries.
#pragma once

#include <string>
#include <vector>

#include "motet/data/labelled_items.h"
#include "motet/multilabel/options.h"

namespace motet::multilabel {

// Ways worth trying on these data: families that fit the values, combinations, covariances,
// preparations. What `options` says of standardize, pca, kernel, shrinkage and prior holds for all of
// them, and so does what options.given names, where the method has it at all (`new` has no combination,
// background or noise). Ways have a prior worth one item at least, without which rare labels fail.
// Throws Error{usage} when what was given leaves no way.
std::vector<TrainOptions> ways_to_train(const LabelledItems& items, const TrainOptions& options);

std::string name_of_way(const TrainOptions& way);  // "deconvolution sum point background noise kernel 0.7 pca 250"

}  // namespace motet::multilabel
