// Figures of a training without sources, for people.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "motet/multilabel/model.h"

namespace motet::multilabel {

struct WeightRow {
  std::string name;    // a label, or a label set
  double items = 0.0;  // training items with it
  double intercept = 0.0;
  std::vector<double> weights;         // one per feature of the model
  std::vector<std::size_t> strongest;  // features with the largest weights, either sign, largest first
};

// One per row of model.linear, with at most `most` strongest features.
std::vector<WeightRow> weight_rows(const MultilabelModel& model, std::size_t most);

}  // namespace motet::multilabel
