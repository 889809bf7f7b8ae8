// The density of items under label sets.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "motet/base/parallel.h"
#include "motet/data/bit_matrix.h"
#include "motet/sources/sources.h"

namespace motet {

// log p(x_n | L_j): rows x sets.rows(), row by row. x is rows x D. The empty set without a
// background has density 0 (-inf). Pairs without a closed form are integrated, see integrated_density.h.
std::vector<double> log_densities(const Sources& sources, const BitMatrix& sets, std::span<const double> x,
                                  Threads threads);

// sum_n log p(x_n | L_n); `of_row` numbers the rows of `sets`.
double log_likelihood(const Sources& sources, const BitMatrix& sets, std::span<const std::uint32_t> of_row,
                      std::span<const double> x, Threads threads);

// A logarithm of a density, with the error of that logarithm where it was integrated.
struct EstimatedDensity {
  double value = 0.0;
  double error = 0.0;  // as the integration tells it; 0 of a formula
};
EstimatedDensity log_density(const Sources& sources, std::span<const std::uint64_t> set, std::span<const double> x);

}  // namespace motet
