#include "motet/judges/numeric/factor.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "motet/base/error.h"
#include "motet/engine/iterate.h"

namespace motet::judges {
namespace {

constexpr std::size_t em_steps = 50;
constexpr double zero_share = 1e-8;  // a residual below this part of a judge's variance counts as 0

struct Sums {  // over the items of one judge; y is measured from mu
  double count = 0.0, y = 0.0, yy = 0.0, said = 0.0, said_y = 0.0, said_said = 0.0;
};

std::vector<Sums> expect(std::span<const PredictionPattern> patterns, std::span<const JudgeLine> lines,
                         double variance) {
  std::vector<Sums> sums(lines.size());
  for (const PredictionPattern& pattern : patterns) {
    const std::size_t size = pattern.judges.size();
    double precision = 1.0 / variance;
    for (const std::uint32_t j : pattern.judges) precision += lines[j].slope * lines[j].slope / lines[j].residual;
    std::vector<double> w(size);
    double mean_y = 0.0;
    for (std::size_t j = 0; j < size; ++j) {
      const JudgeLine& line = lines[pattern.judges[j]];
      w[j] = line.slope / (line.residual * precision);
      mean_y += w[j] * (pattern.mean[j] - line.intercept);
    }
    std::vector<double> scatter_w(size, 0.0);  // sum of (yhat - mean)(y - mean_y)
    double w_scatter_w = 0.0;
    for (std::size_t j = 0; j < size; ++j) {
      for (std::size_t l = 0; l < size; ++l) scatter_w[j] += pattern.scatter[j * size + l] * w[l];
      w_scatter_w += w[j] * scatter_w[j];
    }
    const double n = pattern.count;
    for (std::size_t j = 0; j < size; ++j) {
      Sums& sum = sums[pattern.judges[j]];
      sum.count += n;
      sum.y += n * mean_y;
      sum.yy += w_scatter_w + n / precision + n * mean_y * mean_y;
      sum.said += n * pattern.mean[j];
      sum.said_y += scatter_w[j] + n * mean_y * pattern.mean[j];
      sum.said_said += pattern.scatter[j * size + j] + n * pattern.mean[j] * pattern.mean[j];
    }
  }
  return sums;
}

std::vector<JudgeLine> regress(std::span<const Sums> sums, std::span<const double> least_residual) {
  std::vector<JudgeLine> lines;
  for (std::size_t j = 0; j < sums.size(); ++j) {
    const Sums& s = sums[j];
    const double spread_y = s.yy - s.y * s.y / s.count;
    const double slope = (s.said_y - s.said * s.y / s.count) / spread_y;
    const double intercept = (s.said - slope * s.y) / s.count;
    const double rest = s.said_said - s.said * s.said / s.count - slope * slope * spread_y;
    lines.push_back({intercept, slope, std::max(rest / s.count, least_residual[j])});
  }
  return lines;
}

// Slopes along the first principal component of the correlations; half of each variance explained.
std::vector<JudgeLine> first_lines(std::span<const PredictionPattern> patterns, std::span<const double> judge_variance,
                                   double variance) {
  const std::size_t judge_count = judge_variance.size();
  std::vector<double> together(judge_count * judge_count, 0.0);
  std::vector<double> shared(judge_count * judge_count, 0.0);
  for (const PredictionPattern& pattern : patterns) {
    const std::size_t size = pattern.judges.size();
    for (std::size_t j = 0; j < size; ++j) {
      for (std::size_t l = 0; l < size; ++l) {
        const std::size_t cell = pattern.judges[j] * judge_count + pattern.judges[l];
        together[cell] += pattern.scatter[j * size + l] + pattern.count * pattern.mean[j] * pattern.mean[l];
        shared[cell] += pattern.count;
      }
    }
  }
  std::vector<double> vector;
  for (std::size_t j = 0; j < judge_count; ++j) vector.push_back(1.0 + 0.01 * static_cast<double>(j));  // no symmetry
  for (int step = 0; step < 100; ++step) {
    std::vector<double> next(judge_count, 0.0);
    double norm = 0.0;
    for (std::size_t j = 0; j < judge_count; ++j) {
      for (std::size_t l = 0; l < judge_count; ++l) {
        const std::size_t cell = j * judge_count + l;
        if (shared[cell] == 0.0) continue;
        next[j] += together[cell] / shared[cell] / std::sqrt(judge_variance[j] * judge_variance[l]) * vector[l];
      }
      norm += next[j] * next[j];
    }
    for (std::size_t j = 0; j < judge_count; ++j) vector[j] = next[j] / std::sqrt(norm);
  }
  std::vector<JudgeLine> lines;
  for (std::size_t j = 0; j < judge_count; ++j) {
    const double slope = std::copysign(std::sqrt(0.5 * judge_variance[j] / variance), vector[j]);
    lines.push_back({0.0, slope, 0.5 * judge_variance[j]});
  }
  return lines;
}

std::vector<JudgeLine> unpack(std::span<const double> x) {
  const std::size_t judge_count = x.size() / 3;
  std::vector<JudgeLine> lines;
  for (std::size_t j = 0; j < judge_count; ++j) {
    lines.push_back({x[j], x[judge_count + j], x[2 * judge_count + j]});
  }
  return lines;
}

std::vector<double> pack(std::span<const JudgeLine> lines) {
  std::vector<double> x(3 * lines.size());
  for (std::size_t j = 0; j < lines.size(); ++j) {
    x[j] = lines[j].intercept;
    x[lines.size() + j] = lines[j].slope;
    x[2 * lines.size() + j] = lines[j].residual;
  }
  return x;
}

// With mean squared error e, gradient g and covariance V of (a, b, d): error of e is sqrt(g' V g).
double mse_error_of(const RegressionOptions& options, const JudgeLine& line, std::span<const double> covariance,
                    std::size_t j, std::size_t judge_count) {
  const double bias = line.intercept + (line.slope - 1.0) * options.mean;
  const double gradient[] = {2.0 * bias, 2.0 * bias * options.mean + 2.0 * (line.slope - 1.0) * options.variance, 1.0};
  double sum = 0.0;
  for (std::size_t r = 0; r < 3; ++r) {
    for (std::size_t c = 0; c < 3; ++c) {
      sum += gradient[r] * gradient[c] * covariance[(r * judge_count + j) * 3 * judge_count + c * judge_count + j];
    }
  }
  return std::sqrt(sum);
}

// Of all lines together; empty where they are not determined. At a bound the observed information says nothing.
std::vector<double> line_covariance(const RegressionData& data, std::span<const JudgeLine> lines,
                                    const TruthPrior& prior, const std::vector<bool>& at_bound) {
  const bool any_at_bound = std::find(at_bound.begin(), at_bound.end(), true) != at_bound.end();
  std::vector<double> information =
      line_curvature(data.patterns, lines, prior, any_at_bound ? LineInformation::expected : LineInformation::observed)
          .hessian;
  for (double& value : information) value = -value;
  return inverse_of_information(information, 3 * lines.size());
}

void tell_judge(const RegressionOptions& options, std::size_t j, const JudgeLine& line,
                std::span<const double> covariance, std::size_t judge_count, RegressionJudge& judge) {
  const double factor = interval_factor(options);
  judge.line = line;
  judge.theta = line.slope;
  judge.mse = mean_squared_error(options, judge.theta, judge.line);
  const std::size_t slope_at = judge_count + j;
  judge.theta_error = covariance.empty() ? std::nan("") : std::sqrt(covariance[slope_at * 3 * judge_count + slope_at]);
  judge.theta_interval = {judge.theta - factor * judge.theta_error, judge.theta + factor * judge.theta_error};
  judge.mse_error = covariance.empty() ? std::nan("") : mse_error_of(options, judge.line, covariance, j, judge_count);
  const double ratio = std::exp(factor * judge.mse_error / judge.mse);  // the mse is positive: the log scale
  judge.mse_interval = {judge.mse / ratio, judge.mse * ratio};
}

}  // namespace

void fit_factor(const RegressionData& data, const RunContext& run, RegressionFit& fit) {
  const RegressionOptions& options = fit.model.options;
  const std::size_t judge_count = data.single.size();
  // Measured from each judge's mean and from mu, so that large means cost no digits.
  std::vector<PredictionPattern> patterns = data.patterns;
  for (PredictionPattern& pattern : patterns) {
    for (std::size_t j = 0; j < pattern.judges.size(); ++j) pattern.mean[j] -= data.single[pattern.judges[j]].mean[0];
  }
  const TruthPrior prior{0.0, options.variance};
  std::vector<double> judge_variance;
  std::vector<double> least_residual;
  for (const PredictionPattern& own : data.single) {
    judge_variance.push_back(own.scatter[0] / own.count);
    least_residual.push_back(zero_share * judge_variance.back());
  }

  std::vector<JudgeLine> lines = first_lines(patterns, judge_variance, options.variance);
  std::vector<JudgeLine> before;
  Iterated em;
  em.objective = [&] { return line_log_likelihood(patterns, lines, prior); };
  em.step = [&] {
    before = std::exchange(lines, regress(expect(patterns, lines, options.variance), least_residual));
    return Step{};
  };
  em.go_back = [&](double, std::size_t) {  // rounding: EM itself never falls
    lines = before;
    return std::string();
  };
  fit.summary.objective = iterate(em, {em_steps + 1}, run, {}).objective;
  std::vector<double> lower(3 * judge_count, -1e300);
  std::copy(least_residual.begin(), least_residual.end(), lower.begin() + static_cast<std::ptrdiff_t>(2 * judge_count));
  NewtonResult result = maximize([&](std::span<const double> x) { return line_curvature(patterns, unpack(x), prior); },
                                 pack(lines), lower, run);
  lines = unpack(result.at);
  fit.log_likelihood = result.curvature.value;
  fit.summary.stop = result.summary.stop;
  fit.summary.objective.insert(fit.summary.objective.end(), result.summary.objective.begin() + 1,
                               result.summary.objective.end());

  double slopes = 0.0;
  for (const JudgeLine& line : lines) slopes += line.slope;
  for (std::size_t j = 0; j < judge_count; ++j) {
    if (slopes < 0.0) lines[j].slope = -lines[j].slope;
    lines[j].intercept += data.single[j].mean[0] - lines[j].slope * options.mean;
  }

  const std::vector<double> covariance = line_covariance(data, lines, options.prior(), result.at_bound);
  if (covariance.empty() && fit.summary.stop == Stop::converged) {
    fail(ErrorKind::unanswerable,
         "the predictions do not determine the judges' lines; at least three judges that follow the truth must "
         "have rated the same items");
  }
  for (std::size_t j = 0; j < judge_count; ++j) {
    RegressionJudge& judge = fit.model.judges[j];
    tell_judge(options, j, lines[j], covariance, judge_count, judge);
    judge.at_boundary = result.at_bound[2 * judge_count + j];
  }
}

}  // namespace motet::judges
