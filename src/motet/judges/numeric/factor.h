// One-factor analysis with the factor's mean and variance known: yhat_j = a_j + b_j y + e_j.
//
// E: y given an item's predictions is N(mu + w'(yhat - m), 1/P), w = b / (d P), P = 1/sigma^2 + sum b^2/d
// M: regress yhat_j on y, with the expected sums over the items judge j spoke on
// EM gets close, and Newton's method on the same likelihood ends it: EM alone needs thousands
// of steps where residual variances are small.
#pragma once

#include "motet/base/run.h"
#include "motet/judges/numeric/regression.h"
#include "motet/judges/numeric/regression_data.h"

namespace motet::judges {

// Throws Error{unanswerable} when the predictions do not determine the lines.
void fit_factor(const RegressionData& data, const RunContext& run, RegressionFit& fit);

}  // namespace motet::judges
