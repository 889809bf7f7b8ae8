#include "motet/superset/linear/logistic.h"

#include <gtest/gtest.h>

#include <cmath>

#include "superset/linear_cases.h"

namespace motet::superset::logistic_test {
namespace {

double plain_loss(std::span<const double> m, std::span<const double> f) {
  double all = 0.0, candidates = 0.0;
  for (std::size_t l = 0; l < f.size(); ++l) {
    all += std::exp(f[l]);
    candidates += m[l] * std::exp(f[l]);
  }
  return std::log(all) - std::log(candidates);
}

TEST(SupersetLogistic, EndsAtAMaximumOfTheLikelihoodOfTheCandidates) {
  expect_optimum(fit_logistic, plain_loss, 5e-3);  // it stops by its rise
}

TEST(SupersetLogistic, ProbabilitiesAreTheSoftmaxOfItsLines) {
  const LinearScores model{1, 2, {1.0, 0.0, 0.0, std::log(3.0)}};
  const std::vector<double> p = logistic_probabilities(model, std::vector<double>{0.0, std::log(3.0)}, {1});
  EXPECT_NEAR(p[0], 0.25, 1e-15);
  EXPECT_NEAR(p[2], 0.5, 1e-15);
}

TEST(SupersetLogistic, TheLikelihoodOfOneCandidateIsOrdinaryLogisticRegression) {
  // One feature, two classes, labels known: the optimum satisfies sum_n (t_n - p_n) x_n = penalty w.
  const EvidenceMatrix evidence{4, 2, {1, 0, 1, 0, 0, 1, 0, 1}};
  const std::vector<double> x{-2.0, -0.5, 0.5, 2.0};
  const LinearFit fit = fit_logistic(evidence, x, 1, 0.5, {});
  const std::vector<double> p = logistic_probabilities(fit.model, x, {1});
  double slope = 0.0;
  for (std::size_t n = 0; n < 4; ++n) slope += (evidence.values[n * 2] - p[n * 2]) * x[n];
  EXPECT_NEAR(slope, 0.5 * fit.model.weights[0], 5e-3);
}

}  // namespace
}  // namespace motet::superset::logistic_test
