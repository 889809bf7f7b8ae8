// Proportional judges, yhat_j = theta_j (y - eps_j): closed form alone, concave together.
//
// With u = 1/theta > 0 and U = diag(u), U yhat ~ N(mu 1, S), S = sigma^2 11' + tau^2 I, so
//   l(u) = n sum_j log u_j - 1/2 sum_i (U yhat_i - mu 1)' S^-1 (U yhat_i - mu 1) + constant,
// a sum of logarithms and a concave quadratic: one maximum, found by Newton's method.
// Same as (13) of Donmez, Lebanon, Balasubramanian, corrected as E10. Rows with missing
// predictions have the S of those who spoke, and the sum stays concave.
#pragma once

#include <span>

#include "motet/base/run.h"
#include "motet/judges/numeric/linear_gaussian.h"
#include "motet/judges/numeric/regression.h"
#include "motet/judges/numeric/regression_data.h"

namespace motet::judges {

// In u, one for each judge; value -infinity unless all u > 0.
Curvature proportional_curvature(std::span<const PredictionPattern> patterns, std::span<const double> u,
                                 TruthPrior prior, double noise_variance);

// Maximum likelihood theta > 0 of yhat ~ N(theta mu, theta^2 V): the positive root of
// theta^2 + b theta - c = 0, b = mu sum yhat / (n V), c = sum yhat^2 / (n V) (E7).
double positive_root(const PredictionPattern& judge, double mean, double spread);

void fit_from_own_moments(const RegressionData& data, RegressionFit& fit);  // proportional, deterministic: each alone
void fit_proportional(const RegressionData& data, const RunContext& run, RegressionFit& fit);

}  // namespace motet::judges
