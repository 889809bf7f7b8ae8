// Multi-label classifiers, told to a terminal, to machines and to a browser. Nothing is
// computed here but the order in which things are shown.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "motet/data/value.h"
#include "motet/measure/label_sets.h"
#include "motet/multilabel/analyze.h"
#include "motet/multilabel/model.h"
#include "motet/multilabel/train.h"
#include "motet/report/page.h"

namespace motet {

struct MultilabelTrainReport {
  const MultilabelFit& fit;
  std::string source = {};                                        // file the items came from
  std::vector<std::pair<std::string, std::string>> options = {};  // shown with the fit: what, value
  std::vector<std::string> warnings = {};                         // beside those of the fit
};
std::string multilabel_train_text(const MultilabelTrainReport& report);
Value multilabel_train_json(const MultilabelTrainReport& report);
Page multilabel_train_page(const MultilabelTrainReport& report);

// One method on the same items.
struct ClassifierScore {
  std::string name;
  LabelSetQuality quality;
  double error_difference = 0.0;  // its error rate minus that of the first, and the standard error of that (paired)
  double difference_error = 0.0;
  std::string failure = {};  // why it could not be trained; then it has no measures
};

// Error against the number of training items.
struct LearningPoint {
  std::string method;
  std::size_t items = 0;
  double error_rate = 0.0;
  double standard_error = 0.0;
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
  double reject_below = 0.0;   // 0: no item is left out
  std::size_t rejected = 0;    // items whose probability is below that
  double kept_error = 0.0;     // exact-match error of the others; NaN without any
  double kept_error_se = 0.0;  // its standard error
  std::vector<ClassifierScore> comparison = {};
  std::size_t first = 0;       // in it: what the others are compared with, and what the measures are of
  bool is_comparison = false;  // there is nothing else that was asked for
  std::vector<LearningPoint> learning = {};
  std::vector<std::string> warnings = {};
};
std::string multilabel_evaluate_text(const MultilabelEvaluateReport& report);
Value multilabel_evaluate_json(const MultilabelEvaluateReport& report);
Page multilabel_evaluate_page(const MultilabelEvaluateReport& report);

// How far the locations of sources are from the true ones; measure/label_sets.h has the formulas.
struct TruthDistance {
  double a_1 = 0.0;
  double a_2 = 0.0;
  double mean_squared_error = 0.0;          // (2.12): 1/K sum_k |theta_k - estimate|^2
  double root_mean_square = 0.0;            // (2.14), its root
  double predicted_root_mean_square = 0.0;  // the same of the standard errors by deconvolution; NaN: not known
};

struct MultilabelAnalyzeReport {
  const Analysis& analysis;
  const MultilabelModel& model;
  std::string source = {};
  double confidence = 0.95;
  std::vector<std::string> warnings = {};
  std::optional<TruthDistance> distance = {};
};
std::string multilabel_analyze_text(const MultilabelAnalyzeReport& report);
Value multilabel_analyze_json(const MultilabelAnalyzeReport& report);
Page multilabel_analyze_page(const MultilabelAnalyzeReport& report);

// "deconvolution, gaussian sum, shared covariance, background, 20 principal components"
std::string describe(const TrainOptions& options);

// Name of a source: a label, or "background"; for `new` a label set.
std::string source_name(const MultilabelModel& model, std::size_t source);

// What the locations of a family are: "mean", "probability", ...
std::string_view location_word(Family family);

// Features as the model has them: the columns, or pc1, pc2, ... after a projection.
std::vector<std::string> model_columns(const Preparation& preparation);

}  // namespace motet
