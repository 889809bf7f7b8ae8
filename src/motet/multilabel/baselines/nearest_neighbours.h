// ML-kNN (Zhang and Zhou 2007): a label is given when it is likelier than not, by Bayes' rule from
// how many of the 10 nearest training items have it; counts are smoothed by 1.
#pragma once

#include "motet/multilabel/baselines/baseline_data.h"

namespace motet::multilabel {

BitMatrix nearest_neighbours(const BaselineData& data, const RunContext& run);

}  // namespace motet::multilabel
