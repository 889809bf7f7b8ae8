// The component of a class that was just found, as Algorithm 6.1 has it (section 6.2.3).
//
//   mu = mean of x_n and TN_h(x_n)                                              (6.1)
//   Sigma = their covariance, divided by their number                           (6.2)
// and where that matrix is singular, or x_n has fewer than D neighbours in time (the
// document says h + 1 < D; fewer than D + 1 rows have no covariance of rank D,
// erratum E11):
//   mu = x_n,  Sigma = sigma^2 Sigma_all with sigma = 0.25                      (6.3), (6.4)
#pragma once

#include <span>

#include "motet/data/features.h"
#include "motet/temporal/mixture/shrinkage.h"

namespace motet::discover {

// rows: x_n first, then TN_h(x_n). `kind` diagonal drops what is off the diagonal; a tied covariance becomes one with
// the others at the next M-step.
temporal::Component published_seed(const Features& features, std::span<const std::size_t> rows,
                                   const temporal::GlobalShape& global, temporal::MixtureCovariance kind);

}  // namespace motet::discover
