// Confidence intervals of the noise, the roles taken as known.
//
// The information is the sum over users of the squared derivatives of their log-likelihood
// by (p0, p1), so that doubt about who has which role widens the intervals; they are carried
// over to e = p0 + 1 - p1 and r = p0 / e to first order.
#pragma once

#include "motet/base/interval.h"
#include "motet/roles/mac/posterior.h"

namespace motet::roles {

struct NoiseIntervals {
  Interval fraction;  // NaN at both ends when there is none: noise that is not global, or none at all
  Interval set_probability;
};
NoiseIntervals noise_intervals(const RoleModel& model, const BitMatrix& held, const UserPosteriors& users,
                               double confidence, const RunContext& run);

}  // namespace motet::roles
