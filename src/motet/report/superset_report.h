// Classifiers trained from candidate labels, told to a terminal, to machines and to a browser.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "motet/data/candidate_items.h"
#include "motet/data/value.h"
#include "motet/report/page.h"
#include "motet/superset/evaluate.h"
#include "motet/superset/train.h"

namespace motet {

struct SupersetTrainReport {
  const TrainedSuperset& trained;
  const CandidateItems& items;
  std::string source = {};                                        // file the items came from
  std::vector<std::pair<std::string, std::string>> options = {};  // shown with the fit: what, value
  std::vector<std::string> warnings = {};                         // beside those of the fit
};
std::string superset_train_text(const SupersetTrainReport& report);
Value superset_train_json(const SupersetTrainReport& report);
Page superset_train_page(const SupersetTrainReport& report);

// One method, or one setting of a study, by cross-validation.
struct SupersetScore {
  std::string name;
  MeanSd inductive, transductive;  // over folds
  double calibration_error = 0.0;  // expected calibration error of the likeliest label
};

struct SupersetEvaluateReport {
  const SupersetEvaluation& evaluation;
  std::vector<std::string> classes;
  std::string source = {};
  std::string method = {};
  std::vector<SupersetScore> comparison = {};  // methods; the evaluated one first
  std::vector<SupersetScore> study = {};       // settings with candidates added around the truth
  std::vector<std::string> warnings = {};
};
std::string superset_evaluate_text(const SupersetEvaluateReport& report);
Value superset_evaluate_json(const SupersetEvaluateReport& report);
Page superset_evaluate_page(const SupersetEvaluateReport& report);

}  // namespace motet
