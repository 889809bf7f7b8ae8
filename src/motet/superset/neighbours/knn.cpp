#include "motet/superset/neighbours/knn.h"

#include <algorithm>
#include <numeric>

#include "motet/superset/neighbours/neighbours.h"

namespace motet::superset {

ItemMemory remember(const EvidenceMatrix& evidence, std::span<const double> x, std::size_t dimensions) {
  return {dimensions, evidence.classes, {x.begin(), x.end()}, evidence.values};
}

std::vector<double> neighbour_votes(const ItemMemory& memory, std::span<const double> x, std::size_t neighbours,
                                    bool among_itself, Threads threads) {
  const std::size_t classes = memory.classes;
  const NearestRows near = nearest(memory.x, x, memory.dimensions, neighbours, among_itself, threads);
  const std::size_t rows = x.size() / memory.dimensions;
  std::vector<double> votes(rows * classes, 0.0);
  for (std::size_t n = 0; n < rows; ++n) {
    double* to = votes.data() + n * classes;
    const double* distance = near.distance.data() + n * near.each;
    const double total = std::accumulate(distance, distance + near.each, 0.0);
    for (std::size_t j = 0; j < near.each; ++j) {
      const std::span<const double> target(memory.target.data() + near.row[n * near.each + j] * classes, classes);
      if (is_silent(target)) continue;
      // With one neighbour, or all at distance 0, every vote counts the same.
      const double weight = total > 0.0 && near.each > 1 ? 1.0 - distance[j] / total : 1.0;
      for (std::size_t l = 0; l < classes; ++l) to[l] += weight * target[l];
    }
    const double sum = std::accumulate(to, to + classes, 0.0);
    for (std::size_t l = 0; l < classes; ++l) to[l] = sum > 0.0 ? to[l] / sum : 1.0 / static_cast<double>(classes);
  }
  return votes;
}

}  // namespace motet::superset
