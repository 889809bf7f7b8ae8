// How the error falls with the number of training items.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "motet/base/run.h"
#include "motet/data/labelled_items.h"
#include "motet/data/split.h"

namespace motet::multilabel {

// A way to learn: the sets it gives to `test` after learning from `train`; none where it cannot learn from these items.
struct CurveMethod {
  std::string name;
  std::function<std::optional<BitMatrix>(const LabelledItems& train, const LabelledItems& test, const RunContext& run)>
      decide;
};

struct LearningPoint {
  std::string method;
  std::size_t items = 0;
  double error_rate = 0.0;
  double standard_error = 0.0;
};

struct LearningCurveOptions {
  std::vector<CurveMethod> methods;
  std::size_t repeats = 5;  // stratified subsets of each size
};

// Trains on 1/16, 1/8, ... of `train`, and on all of it, and decides about `test`. The standard error is that
// of the repeats and of the finite number of test items.
std::vector<LearningPoint> learning_curve(const LabelledItems& train, const LabelledItems& test,
                                          const LearningCurveOptions& options, const RunContext& run,
                                          std::vector<std::string>& warnings);

// The same where each fold is the test of the others: one subset of each size per fold.
std::vector<LearningPoint> learning_curve(const LabelledItems& items, const Parts& parts,
                                          const LearningCurveOptions& options, const RunContext& run,
                                          std::vector<std::string>& warnings);

}  // namespace motet::multilabel
