// How the error falls with the number of training items.
#pragma once

#include <string>
#include <vector>

#include "motet/app/multilabel/compare.h"
#include "motet/app/multilabel/evaluate_document.h"

namespace motet::multilabel {

struct LearningCurveOptions {
  std::vector<Rival> methods;
  std::size_t repeats = 5;  // stratified subsets of each size
};

// Trains on 1/16, 1/8, ... of `train`, and on all of it, and decides about `test`. The standard error is that
// of the repeats and of the finite number of test items.
std::vector<LearningPoint> learning_curve(const LabelledItems& train, const LabelledItems& test,
                                          const LearningCurveOptions& options, const RunContext& run,
                                          std::vector<std::string>& warnings);

// The same where each fold is the test of the others: one subset of each size a fold.
std::vector<LearningPoint> learning_curve(const LabelledItems& items, const Parts& parts,
                                          const LearningCurveOptions& options, const RunContext& run,
                                          std::vector<std::string>& warnings);

}  // namespace motet::multilabel
