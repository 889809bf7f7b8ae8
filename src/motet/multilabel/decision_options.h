// Options of training and prediction as people set them, by name: `motet multilabel train` and `predict`.
#pragma once

#include <string>

#include "motet/base/fields.h"
#include "motet/multilabel/options.h"
#include "motet/multilabel/predict.h"

namespace motet::multilabel {

struct TrainingChoice {
  TrainOptions train;
  bool no_calibration = false;
};

template <class V>
void visit_fields(V& v, TrainingChoice& o) {
  visit_fields(v, o.train);
  v("no_calibration", o.no_calibration, "leave out the cross-validation that makes probabilities trustworthy");
}

struct DecisionOptions {
  std::string candidates = "auto";
  Decision decision = Decision::trained;
  std::size_t node_limit = PredictOptions{}.node_limit;
};

template <class V>
void visit_fields(V& v, DecisionOptions& o) {
  v("candidates", o.candidates, Text{"auto|observed|degree:M|all"},
    "label sets to choose from: auto is all for log-linear and else observed; those of the training items, all of up "
    "to M labels, or all there are");
  v("decision", o.decision, Choices{{"map", "ml", "hamming", "one-against-all", "trained"}},
    "trained: what --optimize of the training was for; the most probable set, the set that makes the item most likely, "
    "label by label from the probabilities of sets, or "
    "each label by itself (models of --method cross or probabilistic)");
  v("node_limit", o.node_limit, Range<std::size_t>{1, static_cast<std::size_t>(-1)},
    "steps of the search for one item; what is left open then is told");
}

struct PredictionChoice {
  DecisionOptions decide;
  double reject_below = 0.0;
  double outlier_level = PredictOptions{}.outlier_level;
  std::size_t best = 1;
  double heuristic_error = 0.0;
};

template <class V>
void visit_fields(V& v, PredictionChoice& o) {
  visit_fields(v, o.decide);
  v("reject_below", o.reject_below, Range<double>{0.0, 1.0},
    "give no labels where the probability that they are right is below this");
  v("outlier_level", o.outlier_level, Range<double>{0.0, 1.0},
    "share of the training items that would count as outliers");
  v("best", o.best, Range<std::size_t>{1, 1000}, "how many sets to tell for an item, with their posteriors");
  v("heuristic_error", o.heuristic_error, Range<double>{0.0, 0.99},
    "above 0: leave sources out that a threshold with this bound on the error discards; 0: exact");
}

PredictOptions predict_options(const DecisionOptions& options);
PredictOptions predict_options(const PredictionChoice& options);

}  // namespace motet::multilabel
