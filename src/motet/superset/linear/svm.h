// A support vector machine for candidates (after Nguyen and Caruana 2008): the best candidate shall
// score 1 above every other label,
//   penalty / 2 |W|^2 + sum_n min_{l: M_nl > 0} [ sum_l' (1 - M_nl') max(0, 1 - f_nl + f_nl')^2 - log M_nl ],
// with M's largest entry of a row 1. The choice of l makes it non-convex; fixing the choice leaves a
// convex problem that lies above it and touches it, so choosing and descending in turns never rises.
#pragma once

#include "motet/superset/evidence_matrix.h"
#include "motet/superset/linear/linear.h"

namespace motet::superset {

// The summary holds minus the objective after each round.
LinearFit fit_svm(const EvidenceMatrix& evidence, std::span<const double> x, std::size_t dimensions, double penalty,
                  const RunContext& run);

}  // namespace motet::superset
