// How well multi-label classifiers do, told once.
#pragma once

#include <string>
#include <vector>

#include "motet/measure/label_sets.h"
#include "motet/multilabel/choice/learning_curve.h"
#include "motet/report/document.h"

namespace motet::multilabel {

// One method on the same items.
struct ClassifierScore {
  std::string name;
  LabelSetQuality quality;
  double error_difference = 0.0;  // its error rate minus that of the first, and the standard error of that (paired)
  double difference_error = 0.0;
  std::string failure = {};  // why it could not be trained; then it has no measures
};

// Items of one true label set.
struct SetScore {
  std::string set;
  std::size_t items = 0;
  std::size_t wrong = 0;
  bool known = true;  // among the training items
};

struct MultilabelEvaluateReport {
  std::string source = {};
  std::string model_name = {};  // "deconvolution, sum, shared covariance", see describe
  std::vector<std::string> labels = {};
  LabelSetQuality quality = {};
  std::size_t folds = 0;                      // of a cross-validation; 0: one model on its items
  std::vector<LabelSetQuality> by_fold = {};  // may be empty
  Reliability set_reliability = {};           // of the probability that the chosen set is right
  Reliability label_reliability = {};         // of the marginals, label by label
  std::vector<RejectPoint> reject = {};
  std::vector<SetConfusion> confused = {};
  std::vector<SetScore> sets = {};  // most items first
  std::size_t outliers = 0;
  double reject_below = 0.0;  // 0: no item is left out
  Rejection rejection = {};   // of those below that
  std::vector<ClassifierScore> comparison = {};
  std::size_t first = 0;       // in it: what the others are compared with, and what the measures are of
  bool is_comparison = false;  // there is nothing else that was asked for
  std::vector<LearningPoint> learning = {};
  std::vector<std::string> warnings = {};
};
Document multilabel_evaluate_document(const MultilabelEvaluateReport& report);

}  // namespace motet::multilabel
