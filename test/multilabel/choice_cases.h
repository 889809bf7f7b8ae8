// Small items of one kind, for tests of the choice among ways of training.
#pragma once

#include "motet/multilabel/simulate.h"

namespace motet::multilabel {

inline LabelledItems simulated(Family source, Combination combine, std::size_t items, std::uint64_t seed) {
  SimulateItemsOptions options;
  options.items = items;
  options.labels = 3;
  options.features = 4;
  options.max_degree = 2;
  options.source = source;
  options.combine = combine;
  return simulate_items(options, Seed{seed}).items;
}

}  // namespace motet::multilabel
