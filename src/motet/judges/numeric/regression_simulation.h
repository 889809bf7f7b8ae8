// Predictions of numeric judges with known truth.
#pragma once

#include <span>
#include <vector>

#include "motet/base/rng.h"
#include "motet/judges/numeric/regression.h"

namespace motet::judges {

struct SimulatedPredictions {
  Predictions predictions;  // items i1, i2, ...; judges j1, j2, ...
  std::vector<double> truth;
};
// One judge for each theta. Factor judges get a = 0, b = theta, s^2 = noise_variance.
SimulatedPredictions simulate_regression(const RegressionOptions& options, std::span<const double> thetas,
                                         std::size_t item_count, Rng& rng);
SimulatedPredictions simulate_regression(TruthPrior prior, std::span<const JudgeLine> lines, std::size_t item_count,
                                         Rng& rng);

}  // namespace motet::judges
