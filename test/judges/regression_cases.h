// Small predictions and helpers shared by the tests of numeric judges.
#pragma once

#include <gtest/gtest.h>

#include <cmath>
#include <fstream>
#include <functional>
#include <numbers>
#include <sstream>
#include <string>
#include <vector>

#include "motet/judges/numeric/regression.h"
#include "motet/judges/numeric/regression_simulation.h"
#include "support/expect_error.h"

namespace motet::judges {

constexpr double missing = std::numeric_limits<double>::quiet_NaN();

// Judges a, b, c, ...; items 1, 2, ...
inline Predictions make_predictions(const std::vector<std::vector<double>>& rows) {
  Predictions predictions;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    predictions.items.push_back(std::to_string(i + 1));
    predictions.values.insert(predictions.values.end(), rows[i].begin(), rows[i].end());
  }
  for (std::size_t j = 0; !rows.empty() && j < rows[0].size(); ++j) {
    predictions.judges.push_back(std::string(1, static_cast<char>('a' + j)));
  }
  return predictions;
}

// Each prediction goes with probability `share`, but no judge loses all.
inline Predictions with_gaps(Predictions predictions, double share, Rng rng) {
  for (std::size_t i = 2 * predictions.judge_count(); i < predictions.values.size(); ++i) {
    if (rng.uniform() < share) predictions.values[i] = missing;
  }
  return predictions;
}

inline Predictions golden_predictions() {
  std::ifstream file(std::string(MOTET_TEST_DIR) + "/golden/judges/R_regression.csv");
  std::string line;
  std::getline(file, line);
  std::vector<std::vector<double>> rows;
  while (std::getline(file, line)) {
    std::vector<double> row;
    std::istringstream cells(line);
    for (std::string cell; std::getline(cells, cell, ',');) row.push_back(std::stod(cell));
    rows.push_back(row);
  }
  return make_predictions(rows);
}

inline double normal_density(double x, double mean, double variance) {
  return std::exp(-0.5 * (x - mean) * (x - mean) / variance) / std::sqrt(2.0 * std::numbers::pi * variance);
}

// Trapezium rule over mean +- 12 sd: for smooth functions that vanish at the ends its error falls
// faster than any power of the step.
inline double integrate_over_truth(TruthPrior prior, const std::function<double(double)>& f) {
  constexpr int steps = 40'000;
  const double sd = std::sqrt(prior.variance);
  const double width = 24.0 * sd / steps;
  double sum = 0.0;
  for (int i = 0; i <= steps; ++i) sum += f(prior.mean - 12.0 * sd + width * i);
  return sum * width;
}

// Compares a curvature's gradient and Hessian with central differences of its value and gradient.
inline void expect_derivatives(const CurvatureOf& curvature_of, const std::vector<double>& x, double tolerance) {
  const Curvature at = curvature_of(x);
  for (std::size_t i = 0; i < x.size(); ++i) {
    const double step = 1e-5 * std::max(1.0, std::abs(x[i]));
    std::vector<double> up = x;
    std::vector<double> down = x;
    up[i] += step;
    down[i] -= step;
    const Curvature above = curvature_of(up);
    const Curvature below = curvature_of(down);
    const double slope = (above.value - below.value) / (2.0 * step);
    EXPECT_NEAR(at.gradient[i], slope, tolerance * std::max(1.0, std::abs(slope))) << "gradient " << i;
    for (std::size_t j = 0; j < x.size(); ++j) {
      const double bend = (above.gradient[j] - below.gradient[j]) / (2.0 * step);
      EXPECT_NEAR(at.hessian[i * x.size() + j], bend, tolerance * std::max(1.0, std::abs(bend)))
          << "hessian " << i << ", " << j;
    }
  }
}

// Central differences with a step of 1e-5: the formula errs by about 1e-10 of the third derivative, and
// rounding of the value (1e-13 of some hundreds) over the step by about 1e-6.
constexpr double difference_tolerance = 3e-6;

inline void expect_never_falls(const FitSummary& summary) {
  constexpr double rounding = 1e-11;  // relative, of a sum of log densities
  for (std::size_t i = 1; i < summary.objective.size(); ++i) {
    EXPECT_GE(summary.objective[i], summary.objective[i - 1] - rounding * std::abs(summary.objective[i])) << "at " << i;
  }
}

// Recovery: an estimate is within four of its own standard errors of the truth, which fails
// by chance once in 16000.
constexpr double four_errors = 4.0;

// Four factor judges, and what is known of the truth they rate.
inline const std::vector<JudgeLine> planted = {{0.5, 0.8, 0.3}, {-1.0, 1.2, 0.6}, {0.0, 0.5, 0.2}, {2.0, -0.4, 0.5}};
inline const RegressionOptions factor_options{.mean = 1.5, .variance = 2.0, .noise = RegressionNoise::factor};

inline double measured_mse(const SimulatedPredictions& data, std::size_t judge) {
  double sum = 0.0;
  for (std::size_t i = 0; i < data.truth.size(); ++i) {
    sum += std::pow(data.predictions.row(i)[judge] - data.truth[i], 2.0);
  }
  return sum / static_cast<double>(data.truth.size());
}

inline void expect_recovers(const RegressionOptions& options, const std::vector<double>& thetas, double gaps) {
  Rng rng(Seed{41});
  SimulatedPredictions data = simulate_regression(options, thetas, 4000, rng);
  std::vector<double> measured;
  for (std::size_t j = 0; j < thetas.size(); ++j) measured.push_back(measured_mse(data, j));
  const RegressionFit fit = fit_regression(with_gaps(data.predictions, gaps, rng.child(1)), options);
  EXPECT_EQ(fit.summary.stop, Stop::converged);
  expect_never_falls(fit.summary);
  for (std::size_t j = 0; j < thetas.size(); ++j) {
    const RegressionJudge& judge = fit.model.judges[j];
    EXPECT_NEAR(judge.theta, thetas[j], four_errors * judge.theta_error) << j;
    EXPECT_TRUE(judge.mse_interval.contains(judge.mse)) << j;
    // The measured error of 4000 items has itself a relative standard error of at most sqrt(2/4000) = 2.2 %.
    EXPECT_NEAR(judge.mse, measured[j], four_errors * (judge.mse_error + 0.022 * measured[j]) + 1e-3) << j;
  }
}

}  // namespace motet::judges
