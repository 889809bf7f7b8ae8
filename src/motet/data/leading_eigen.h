// The largest eigenvalues of a symmetric matrix without negative ones, and their vectors.
//
// All of them when many are wanted; else by subspace iteration from a fixed random start with
// some vectors to spare, which costs sweeps x side^2 x count. The last of a slowly falling
// spectrum are then not exact eigenvectors, but an orthogonal basis that is nearly as good to
// project on. The same matrix gives the same bytes.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace motet {

struct LeadingEigen {
  std::vector<double> values;   // largest first
  std::vector<double> vectors;  // count x side, row by row; the largest entry of each is positive
};

LeadingEigen leading_eigen(std::span<const double> symmetric, std::size_t side, std::size_t count);

}  // namespace motet
