// How well Boolean roles and matrices are recovered. Pure functions.
//
// Sections 2.4.1 and 2.4.3 with p = 1: for Boolean data the mean of |difference| is the
// share of differing cells, and no root is taken (spec/roles.md on 2.10, 2.11 and 2.20).
#pragma once

#include <cstddef>
#include <limits>
#include <span>
#include <vector>

#include "motet/data/bit_matrix.h"

namespace motet {

struct RoleMatch {
  static constexpr std::size_t none = std::numeric_limits<std::size_t>::max();

  double error = 0.0;                // a_1, mean |difference| over cells; NaN when there is no cell
  double difference = 0.0;           // sum over cells: of Boolean roles the number of wrong bits
  std::vector<std::size_t> partner;  // by true role: the estimated role it is matched with, or none
};

// The centroid error a_1 (2.11): the mean over roles and permissions of |u - estimate|
// under the matching of roles that makes it smallest. When one side has fewer roles it
// is filled up with empty ones, and the mean is over the larger number of roles.
RoleMatch match_roles(const BitMatrix& truth, const BitMatrix& estimate);

// The same for beta, the probability that a role lacks a permission, row by row; an empty role has 1.
RoleMatch match_roles(std::span<const double> true_absence, std::span<const double> absence, std::size_t permissions);

// Cells in which two matrices of one shape differ.
std::size_t differing_cells(const BitMatrix& a, const BitMatrix& b);

// Share of cells in which they differ, (2.20) with p = 1; NaN without cells.
double reconstruction_error(const BitMatrix& reconstruction, const BitMatrix& data);

// Of the cells of the data that are `value`, the share that is so in the reconstruction
// too, (2.21); NaN when there is none. For value = true it is the coverage of role mining.
double coverage(const BitMatrix& reconstruction, const BitMatrix& data, bool value);

// Mean over pairs of roles of the share of all permissions that both have, as in the
// lower row of figure 9.10; NaN below two roles.
double mean_overlap(const BitMatrix& roles);

}  // namespace motet
