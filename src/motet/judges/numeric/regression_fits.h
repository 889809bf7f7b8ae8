// The four ways to fit numeric judges; each fills in everything that is its own.
#pragma once

#include <vector>

#include "motet/judges/numeric/linear_gaussian.h"
#include "motet/judges/numeric/regression.h"

namespace motet::judges {

struct RegressionData {
  std::vector<PredictionPattern> patterns;  // by who spoke
  std::vector<PredictionPattern> single;    // by judge: its own predictions
};

// Each receives a fit with options and the judges' names, and sets theta, line, errors
// and intervals of theta, at_boundary, log_likelihood and summary. The errors and
// intervals of the mse follow from those of theta, except for factor, which sets them.
void fit_from_own_moments(const RegressionData& data, RegressionFit& fit);  // proportional, deterministic
void fit_proportional(const RegressionData& data, const RunContext& run, RegressionFit& fit);
void fit_channel_separately(const RegressionData& data, RegressionFit& fit);
void fit_channel(const RegressionData& data, const RunContext& run, RegressionFit& fit);
void fit_factor(const RegressionData& data, const RunContext& run, RegressionFit& fit);

// Half the width of an interval in standard errors.
double interval_factor(const RegressionOptions& options);

}  // namespace motet::judges
