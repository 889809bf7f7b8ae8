// Convex learning from partial labels (Cour, Sapp and Taskar 2011): the mean score of the
// candidates shall be above 1 and that of every other label below -1,
//   sum_n s(mean_{l in Y} f_nl) + sum_{l not in Y} s(-f_nl) + penalty / 2 |W|^2,
// with the squared hinge s(u) = max(0, 1 - u)^2. With evidence M (largest of a row 1) the mean is
// weighted by M, and a label counts as no candidate by 1 - M_nl. Silent rows say nothing.
#pragma once

#include "motet/superset/evidence_matrix.h"
#include "motet/superset/linear/linear.h"

namespace motet::superset {

LinearFit fit_clpl(const EvidenceMatrix& evidence, std::span<const double> x, std::size_t dimensions, double penalty,
                   const RunContext& run);

}  // namespace motet::superset
