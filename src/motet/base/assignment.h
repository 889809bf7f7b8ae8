// The best one-to-one matching of rows to columns.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace motet {

// Column for each row of a square matrix (row by row) such that the sum of the
// matched gains is largest; O(n^3), Kuhn-Munkres with potentials. Gains must be finite.
std::vector<std::size_t> best_assignment(std::span<const double> gains, std::size_t size);

}  // namespace motet
