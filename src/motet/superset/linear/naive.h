// One logistic regression per class against the rest, with the averaged candidates as if they were
// labels: what one gets when the ambiguity is ignored. The yardstick for the other methods.
//   max sum_nl [ t_nl log s(f_nl) + (1 - t_nl) log s(-f_nl) ] - penalty / 2 |W|^2, t = M averaged.
#pragma once

#include "motet/superset/evidence_matrix.h"
#include "motet/superset/linear/linear.h"

namespace motet::superset {

LinearFit fit_naive(const EvidenceMatrix& evidence, std::span<const double> x, std::size_t dimensions, double penalty,
                    const RunContext& run);

}  // namespace motet::superset
