#include "motet/superset/linear/naive.h"

#include <gtest/gtest.h>

#include <cmath>

#include "superset/linear_cases.h"

namespace motet::superset::naive_test {
namespace {

double plain_loss(std::span<const double> m, std::span<const double> f) {
  if (is_silent(m)) return 0.0;
  double weight = 0.0, sum = 0.0;
  for (const double value : m) weight += value;
  for (std::size_t l = 0; l < f.size(); ++l) {
    const double s = 1.0 / (1.0 + std::exp(-f[l]));
    sum -= m[l] / weight * std::log(s) + (1.0 - m[l] / weight) * std::log(1.0 - s);
  }
  return sum;
}

// The problem is convex, so a point without a slope is the minimum.
TEST(SupersetNaive, EndsAtTheMinimumOfTheCrossEntropies) { expect_optimum(fit_naive, plain_loss, 1e-3); }

// Without features a line is the log-odds of its share: of four rows the classes have 1 + 1/2, 1/2 + 1 and 1.
TEST(SupersetNaive, CandidatesOfARowShareItEvenly) {
  const EvidenceMatrix evidence{4, 3, {1, 0, 0, 1, 1, 0, 0, 1, 0, 0, 0, 1}};
  const LinearFit fit = fit_naive(evidence, std::vector<double>(4, 0.0), 1, 1.0, {});
  EXPECT_NEAR(fit.model.weights[3], std::log(1.5 / 2.5), 1e-4);
  EXPECT_NEAR(fit.model.weights[4], std::log(1.5 / 2.5), 1e-4);
  EXPECT_NEAR(fit.model.weights[5], std::log(1.0 / 3.0), 1e-4);
}

}  // namespace
}  // namespace motet::superset::naive_test
