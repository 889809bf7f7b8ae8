// k-means with k-means++ starts.
#pragma once

#include <cstdint>
#include <vector>

#include "motet/base/run.h"
#include "motet/data/features.h"

namespace motet::temporal {

enum class ColumnUnits {
  own,        // a column with large numbers counts for more
  deviations  // of each column: the units it comes in do not matter
};

struct Clusters {
  std::vector<double> centres;       // clusters x dimensions, in the units of the features
  std::vector<std::uint8_t> states;  // cluster per row
  double inertia = 0.0;  // sum of squared distances, in units of the largest standard deviation, or each in its own
};

// The best of `starts` runs, each until no row changes its cluster. Throws Error{unanswerable} when there are fewer
// distinct rows than clusters.
Clusters kmeans(const Features& features, std::size_t clusters, std::size_t starts, ColumnUnits units,
                const RunContext& run);

}  // namespace motet::temporal
