#include "motet/judges/numeric/proportional.h"

#include <cmath>
#include <limits>
#include <numbers>

namespace motet::judges {
namespace {

void add_pattern(const PredictionPattern& pattern, std::span<const double> u, TruthPrior prior, double noise_variance,
                 Curvature& sum) {
  const std::size_t size = pattern.judges.size();
  const double n = pattern.count;
  const auto p = static_cast<double>(size);
  // S^-1 = (I - shrink 11') / tau^2 and |S| = tau^(2p) (1 + p sigma^2 / tau^2).
  const double shrink = prior.variance / (noise_variance + p * prior.variance);
  const auto inverse = [&](std::size_t j, std::size_t l) { return ((j == l ? 1.0 : 0.0) - shrink) / noise_variance; };
  const double log_determinant = p * std::log(noise_variance) + std::log1p(p * prior.variance / noise_variance);

  sum.value -= 0.5 * n * (p * std::log(2.0 * std::numbers::pi) + log_determinant);
  for (std::size_t j = 0; j < size; ++j) {
    const std::size_t judge = pattern.judges[j];
    double slope = 0.0;  // (S^-1 sum_i (U yhat_i - mu 1) yhat_ij)_j
    for (std::size_t l = 0; l < size; ++l) {
      const double u_l = u[pattern.judges[l]];
      const double gap = u_l * pattern.mean[l] - prior.mean;
      const double scatter = pattern.scatter[j * size + l];
      slope += inverse(j, l) * (scatter * u_l + n * pattern.mean[j] * gap);
      const double square = scatter + n * pattern.mean[j] * pattern.mean[l];
      sum.hessian[judge * u.size() + pattern.judges[l]] -= inverse(j, l) * square;
      const double gap_j = u[judge] * pattern.mean[j] - prior.mean;
      sum.value -= 0.5 * inverse(j, l) * (u[judge] * scatter * u_l + n * gap_j * gap);
    }
    sum.value += n * std::log(u[judge]);
    sum.gradient[judge] += n / u[judge] - slope;
    sum.hessian[judge * u.size() + judge] -= n / (u[judge] * u[judge]);
  }
}

// theta > 0: the logarithm of theta is the natural scale.
void set_theta(const RegressionOptions& options, double theta, double error, RegressionJudge& judge) {
  judge.theta = theta;
  judge.theta_error = error;
  judge.line = line_of(options, theta);
  const double factor = std::exp(interval_factor(options) * error / theta);
  judge.theta_interval = {theta / factor, theta * factor};
}

}  // namespace

Curvature proportional_curvature(std::span<const PredictionPattern> patterns, std::span<const double> u,
                                 TruthPrior prior, double noise_variance) {
  Curvature sum{0.0, std::vector<double>(u.size()), std::vector<double>(u.size() * u.size())};
  for (const double value : u) {
    if (!(value > 0.0)) sum.value = -std::numeric_limits<double>::infinity();
  }
  if (sum.value != 0.0) return sum;
  for (const PredictionPattern& pattern : patterns) add_pattern(pattern, u, prior, noise_variance, sum);
  return sum;
}

double positive_root(const PredictionPattern& judge, double mean, double spread) {
  const double half_b = 0.5 * mean * judge.mean[0] / spread;
  const double c = (judge.scatter[0] / judge.count + judge.mean[0] * judge.mean[0]) / spread;
  const double root = std::sqrt(half_b * half_b + c);
  return half_b > 0.0 ? c / (half_b + root) : root - half_b;  // the form without cancellation
}

void fit_from_own_moments(const RegressionData& data, RegressionFit& fit) {
  const RegressionOptions& options = fit.model.options;
  const double sign = options.noise == RegressionNoise::deterministic ? -1.0 : 1.0;
  const double spread = options.variance + sign * options.noise_variance;
  fit.log_likelihood = 0.0;
  for (std::size_t j = 0; j < data.single.size(); ++j) {
    const PredictionPattern& own = data.single[j];
    const double theta = positive_root(own, options.mean, spread);
    const double squares = own.scatter[0] + own.count * own.mean[0] * own.mean[0];
    const double information = own.count * theta * theta + squares / spread;  // of u = 1 / theta
    set_theta(options, theta, theta * theta / std::sqrt(information), fit.model.judges[j]);
    const double misfit = own.scatter[0] + own.count * std::pow(own.mean[0] - theta * options.mean, 2.0);
    fit.log_likelihood -= 0.5 * (own.count * std::log(2.0 * std::numbers::pi * theta * theta * spread) +
                                 misfit / (theta * theta * spread));
  }
  fit.summary.stop = Stop::converged;
  fit.summary.objective.push_back(fit.log_likelihood);
}

void fit_proportional(const RegressionData& data, const RunContext& run, RegressionFit& fit) {
  const RegressionOptions& options = fit.model.options;
  const TruthPrior prior = options.prior();
  std::vector<double> start;
  for (const PredictionPattern& own : data.single) {
    start.push_back(1.0 / positive_root(own, options.mean, options.variance + options.noise_variance));
  }
  NewtonResult result = maximize(
      [&](std::span<const double> u) {
        return proportional_curvature(data.patterns, u, prior, options.noise_variance);
      },
      std::move(start), {}, run);
  const std::size_t judge_count = data.single.size();
  std::vector<double> information = result.curvature.hessian;
  for (double& value : information) value = -value;
  const std::vector<double> covariance = inverse_of_information(information, judge_count);
  for (std::size_t j = 0; j < judge_count; ++j) {
    const double theta = 1.0 / result.at[j];
    const double u_error =
        covariance.empty() ? std::numeric_limits<double>::quiet_NaN() : std::sqrt(covariance[j * judge_count + j]);
    set_theta(options, theta, theta * theta * u_error, fit.model.judges[j]);
  }
  fit.log_likelihood = result.curvature.value;
  fit.summary.stop = result.summary.stop;
  fit.summary.objective = std::move(result.summary.objective);
}

}  // namespace motet::judges
