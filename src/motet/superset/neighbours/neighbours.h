// The nearest rows of a memory by Euclidean distance, found by looking at all of them: exact, and
// with the product of matrices that dominates it fast for the tens of thousands of rows at which
// instance-based methods are of use.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "motet/base/parallel.h"

namespace motet::superset {

struct NearestRows {
  std::size_t each = 0;            // neighbours of a row: k, or all there are
  std::vector<std::uint32_t> row;  // rows x each, nearest first; the lower row first among equals
  std::vector<double> distance;    // rows x each
};

// `among_itself`: x is the memory, and a row is no neighbour of its own.
NearestRows nearest(std::span<const double> memory, std::span<const double> x, std::size_t dimensions, std::size_t k,
                    bool among_itself, Threads threads);

}  // namespace motet::superset
