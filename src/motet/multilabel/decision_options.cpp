#include "motet/multilabel/decision_options.h"

namespace motet::multilabel {

PredictOptions predict_options(const DecisionOptions& options) {
  PredictOptions result;
  result.candidates = candidate_rule(options.candidates);
  result.decision = options.decision;
  result.node_limit = options.node_limit;
  return result;
}

PredictOptions predict_options(const PredictionChoice& options) {
  PredictOptions result = predict_options(options.decide);
  result.reject_below = options.reject_below;
  result.outlier_level = options.outlier_level;
  result.best = options.best;
  result.heuristic_error = options.heuristic_error;
  return result;
}

}  // namespace motet::multilabel
