// How well classifiers trained from candidate labels do, told once.
#pragma once

#include <string>
#include <vector>

#include "motet/report/document.h"
#include "motet/superset/evaluate.h"

namespace motet::superset {

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
Document superset_evaluate_document(const SupersetEvaluateReport& report);

}  // namespace motet::superset
