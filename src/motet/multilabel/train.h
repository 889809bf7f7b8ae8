// Training of a model from items with label sets: the whole of `motet multilabel train`.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "motet/base/run.h"
#include "motet/data/labelled_items.h"
#include "motet/multilabel/model.h"

namespace motet::multilabel {

struct MultilabelFit {
  MultilabelModel model;
  FitSummary summary;
  std::vector<std::string> warnings;  // labels in every item, constant features, ...
  std::size_t items = 0;
  std::size_t label_sets = 0;
  // Of the training items under the model, without prior and shrinkage; empty where some of them cannot be.
  std::optional<double> log_likelihood;
  std::size_t explained = 0;  // items that it counts: without those that have no label, where nothing explains them
};

// Checks the data, prepares, trains (choosing first, when options.method is automatic, see
// choose.h), and calibrates inside the training items when `calibrate`.
// Throws Error{bad_data} or {unanswerable}: a label in no item, more unknowns than items can tell, ...
MultilabelFit train_multilabel(const LabelledItems& items, const TrainOptions& options, bool calibrate,
                               const RunContext& run);

}  // namespace motet::multilabel
