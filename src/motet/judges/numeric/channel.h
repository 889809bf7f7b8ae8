// Judges as noisy channels, yhat_j = y + N(0, theta_j^2).
//
// Alone: theta^2 is the variance in excess of the truth's (E9). Together: the likelihood N(mu 1, sigma^2 11' + diag(v))
// in v = theta^2 >= 0, by Newton's method. Where theta is 0, only the upper end of its interval is told.
#pragma once

#include "motet/base/run.h"
#include "motet/judges/numeric/regression.h"
#include "motet/judges/numeric/regression_data.h"

namespace motet::judges {

void fit_channel_separately(const RegressionData& data, RegressionFit& fit);
void fit_channel(const RegressionData& data, const RunContext& run, RegressionFit& fit);

}  // namespace motet::judges
