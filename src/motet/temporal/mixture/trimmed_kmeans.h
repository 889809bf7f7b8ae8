// k-means that a few far rows do not decide.
//
// Trimmed k-means: the centres that minimise the sum of squared distances of the nine
// tenths of the rows that lie nearest to one (Cuesta-Albertos, Gordaliza and Matran
// 1997). From several small random samples of rows, and from k-means of all rows, the
// centres move to the means of the nearest rows until those stay the same; the best is
// kept.
#pragma once

#include <cstdint>
#include <vector>

#include "motet/temporal/mixture/kmeans.h"

namespace motet::temporal {

struct TrimmedClusters {
  Clusters clusters;                // every row in that of its nearest centre; the inertia of the rows kept
  std::vector<std::uint32_t> kept;  // the nearest nine tenths, rising
};

// Throws as kmeans does.
TrimmedClusters trimmed_kmeans(const Features& features, std::size_t clusters, std::size_t starts,
                               const RunContext& run);

}  // namespace motet::temporal
