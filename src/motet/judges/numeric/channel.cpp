#include "motet/judges/numeric/channel.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "motet/base/numeric.h"

namespace motet::judges {
namespace {

// Below this part of the truth's variance, v counts as 0: two such judges still leave the
// covariance invertible.
constexpr double zero_change = 1e-10;

double own_variance(const PredictionPattern& own, double mean) {
  return own.scatter[0] / own.count + (own.mean[0] - mean) * (own.mean[0] - mean);
}

// Interval of v, then its root. At v = 0 only an upper end is sought, so all of the
// permitted error lies above it.
void set_theta(const RegressionOptions& options, double v, double v_error, bool at_boundary, RegressionJudge& judge) {
  judge.at_boundary = at_boundary;
  judge.theta = at_boundary ? 0.0 : std::sqrt(v);
  judge.line = line_of(options, judge.theta);
  if (at_boundary) {
    judge.theta_error = std::numeric_limits<double>::quiet_NaN();
    judge.theta_interval = {std::isnan(v_error) ? v_error : 0.0,
                            std::sqrt(normal_quantile(options.confidence) * v_error)};
    return;
  }
  judge.theta_error = v_error / (2.0 * judge.theta);
  if (std::isnan(v_error)) {
    judge.theta_interval = {v_error, v_error};
    return;
  }
  const double reach = interval_factor(options) * v_error;
  judge.theta_interval = {std::sqrt(std::max(0.0, v - reach)), std::sqrt(v + reach)};
}

std::vector<JudgeLine> lines_of(std::span<const double> v) {
  std::vector<JudgeLine> lines;
  for (const double value : v) lines.push_back({0.0, 1.0, value});
  return lines;
}

// The part of a curvature in (a, b, d) that belongs to d.
Curvature residual_part(const Curvature& all, std::size_t judge_count) {
  Curvature part{all.value, {}, {}};
  for (std::size_t j = 2 * judge_count; j < 3 * judge_count; ++j) {
    part.gradient.push_back(all.gradient[j]);
    for (std::size_t l = 2 * judge_count; l < 3 * judge_count; ++l) {
      part.hessian.push_back(all.hessian[j * 3 * judge_count + l]);
    }
  }
  return part;
}

}  // namespace

void fit_channel_separately(const RegressionData& data, RegressionFit& fit) {
  const RegressionOptions& options = fit.model.options;
  for (std::size_t j = 0; j < data.single.size(); ++j) {
    const PredictionPattern& own = data.single[j];
    const double v = own_variance(own, options.mean) - options.variance;
    const double total = options.variance + std::max(0.0, v);
    set_theta(options, v, total * std::sqrt(2.0 / own.count), v <= 0.0, fit.model.judges[j]);
  }
  fit.log_likelihood = 0.0;
  for (std::size_t j = 0; j < data.single.size(); ++j) {
    PredictionPattern own = data.single[j];
    own.judges[0] = 0;
    fit.log_likelihood += line_log_likelihood({&own, 1}, {&fit.model.judges[j].line, 1}, options.prior());
  }
  fit.summary.stop = Stop::converged;
  fit.summary.objective.push_back(fit.log_likelihood);
}

void fit_channel(const RegressionData& data, const RunContext& run, RegressionFit& fit) {
  const RegressionOptions& options = fit.model.options;
  const std::size_t judge_count = data.single.size();
  const TruthPrior prior = options.prior();
  const std::vector<double> lower(judge_count, zero_change * options.variance);
  std::vector<double> start;
  for (const PredictionPattern& own : data.single) {
    start.push_back(std::max(own_variance(own, options.mean) - options.variance, 0.1 * options.variance));
  }
  NewtonResult result = maximize(
      [&](std::span<const double> v) {
        return residual_part(line_curvature(data.patterns, lines_of(v), prior), judge_count);
      },
      std::move(start), lower, run);

  const bool any_at_bound = std::find(result.at_bound.begin(), result.at_bound.end(), true) != result.at_bound.end();
  std::vector<double> information = result.curvature.hessian;
  if (any_at_bound) {  // the observed one need not be positive where the slope is not 0
    information =
        residual_part(line_curvature(data.patterns, lines_of(result.at), prior, LineInformation::expected), judge_count)
            .hessian;
  }
  for (double& value : information) value = -value;
  const std::vector<double> covariance = inverse_of_information(information, judge_count);
  for (std::size_t j = 0; j < judge_count; ++j) {
    const double error =
        covariance.empty() ? std::numeric_limits<double>::quiet_NaN() : std::sqrt(covariance[j * judge_count + j]);
    set_theta(options, result.at[j], error, result.at_bound[j], fit.model.judges[j]);
  }
  fit.log_likelihood = result.curvature.value;
  fit.summary.stop = result.summary.stop;
  fit.summary.objective = std::move(result.summary.objective);
}

}  // namespace motet::judges
