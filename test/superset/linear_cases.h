// What fits of straight lines must be at, by plain loops over rows and classes.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <span>
#include <vector>

#include "motet/superset/evidence_matrix.h"
#include "motet/superset/linear/linear.h"

namespace motet::superset {

// Of one row, from its evidence and its scores.
using PlainLoss = std::function<double(std::span<const double> m, std::span<const double> f)>;

// The loss of all rows and the penalty: of the weights as asked for, of the bias a millionth.
inline double plain_objective(const EvidenceMatrix& evidence, std::span<const double> x, const LinearScores& model,
                              double penalty, const PlainLoss& loss) {
  const std::size_t classes = model.classes, dimensions = model.dimensions;
  double sum = 0.0;
  for (std::size_t n = 0; n < evidence.rows; ++n) {
    std::vector<double> f(classes);
    for (std::size_t l = 0; l < classes; ++l) {
      f[l] = model.weights[dimensions * classes + l];
      for (std::size_t d = 0; d < dimensions; ++d) f[l] += model.weights[d * classes + l] * x[n * dimensions + d];
    }
    sum += loss(evidence.row(n), f);
  }
  for (std::size_t i = 0; i < model.weights.size(); ++i) {
    sum += 0.5 * (i < dimensions * classes ? penalty : 1e-6) * model.weights[i] * model.weights[i];
  }
  return sum;
}

// The steepest central difference of the objective by any weight: 0 at a minimum.
inline double steepest_at(const EvidenceMatrix& evidence, std::span<const double> x, const LinearScores& model,
                          double penalty, const PlainLoss& loss) {
  constexpr double h = 1e-5;
  double steepest = 0.0;
  for (std::size_t i = 0; i < model.weights.size(); ++i) {
    LinearScores up = model, down = model;
    up.weights[i] += h;
    down.weights[i] -= h;
    const double rise =
        plain_objective(evidence, x, up, penalty, loss) - plain_objective(evidence, x, down, penalty, loss);
    steepest = std::max(steepest, std::abs(rise / (2.0 * h)));
  }
  return steepest;
}

// A small problem in which every kind of row comes up: one candidate, two, weights, all alike.
struct LinearCase {
  EvidenceMatrix evidence{
      6, 3, {1.0, 0.0, 0.0, 1.0, 1.0, 0.0, 0.0, 1.0, 0.25, 0.0, 0.0, 1.0, 1.0, 1.0, 1.0, 0.0, 1.0, 1.0}};
  std::vector<double> x{-1.0, 0.5, -0.5, -1.0, 0.25, 1.5, 2.0, 0.0, 3.0, 3.0, 1.0, -0.75};
};

// The fit of the small problem under a small and a large penalty tells its objective and ends where it hardly slopes.
inline void expect_optimum(const auto& fit_lines, const PlainLoss& loss, double most_slope) {
  const LinearCase given;
  for (const double penalty : {0.1, 2.0}) {
    const LinearFit fit = fit_lines(given.evidence, given.x, 2, penalty, {});
    const double objective = plain_objective(given.evidence, given.x, fit.model, penalty, loss);
    EXPECT_NEAR(fit.summary.objective.back(), -objective, 1e-12 * (1.0 + objective));
    EXPECT_LT(steepest_at(given.evidence, given.x, fit.model, penalty, loss), most_slope);
    EXPECT_EQ(fit.summary.stop, Stop::converged);
  }
}

}  // namespace motet::superset
