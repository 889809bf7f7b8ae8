// The usual classifiers for multi-label data, so that people see where they stand.
#pragma once

#include <string>
#include <vector>

#include "motet/base/run.h"
#include "motet/data/labelled_items.h"

namespace motet::multilabel {

struct Baseline {
  std::string name;  // "label powerset, linear discriminant"
  std::string word;  // "lp-lda", for --compare
};
const std::vector<Baseline>& baselines();  // lp-lda, lp-logistic, lp-svm, ovr-lda, ovr-logistic, ovr-svm, ml-knn

// Label sets of the test items. Settings (regularisation, C and gamma, k) are the documented
// defaults of the four headers beside this one; features are standardised on the training items.
BitMatrix run_baseline(const std::string& word, const LabelledItems& train, const NumberTable& test,
                       const RunContext& run);

}  // namespace motet::multilabel
