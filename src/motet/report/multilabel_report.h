// Multi-label classifiers, told to a terminal, to machines and to a browser. Nothing is
// computed here but the order in which things are shown.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "motet/data/value.h"
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
