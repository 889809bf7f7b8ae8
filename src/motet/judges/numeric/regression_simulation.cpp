#include "motet/judges/numeric/regression_simulation.h"

#include <cmath>

#include "motet/judges/numeric/regression_checks.h"

namespace motet::judges {
namespace {

SimulatedPredictions named(std::size_t item_count, std::size_t judge_count) {
  SimulatedPredictions result;
  for (std::size_t i = 0; i < item_count; ++i) result.predictions.items.push_back("i" + std::to_string(i + 1));
  for (std::size_t j = 0; j < judge_count; ++j) result.predictions.judges.push_back("j" + std::to_string(j + 1));
  return result;
}

}  // namespace

SimulatedPredictions simulate_regression(TruthPrior prior, std::span<const JudgeLine> lines, std::size_t item_count,
                                         Rng& rng) {
  SimulatedPredictions result = named(item_count, lines.size());
  for (std::size_t i = 0; i < item_count; ++i) {
    const double y = prior.mean + std::sqrt(prior.variance) * rng.normal();
    result.truth.push_back(y);
    for (const JudgeLine& line : lines) {
      result.predictions.values.push_back(line.intercept + line.slope * y + std::sqrt(line.residual) * rng.normal());
    }
  }
  return result;
}

SimulatedPredictions simulate_regression(const RegressionOptions& options, std::span<const double> thetas,
                                         std::size_t item_count, Rng& rng) {
  check(options);
  if (options.noise != RegressionNoise::deterministic) {
    std::vector<JudgeLine> lines;
    for (const double theta : thetas) lines.push_back(line_of(options, theta));
    return simulate_regression(options.prior(), lines, item_count, rng);
  }
  SimulatedPredictions result = named(item_count, thetas.size());
  for (std::size_t i = 0; i < item_count; ++i) {
    const double seen = options.mean + std::sqrt(options.variance - options.noise_variance) * rng.normal();  // f
    result.truth.push_back(seen + std::sqrt(options.noise_variance) * rng.normal());
    for (const double theta : thetas) result.predictions.values.push_back(theta * seen);
  }
  return result;
}

}  // namespace motet::judges
