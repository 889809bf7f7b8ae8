#include "motet/superset/linear/clpl.h"

#include <gtest/gtest.h>

#include <cmath>

#include "superset/linear_cases.h"

namespace motet::superset::clpl_test {
namespace {

double squared_hinge(double u) { return u < 1.0 ? (1.0 - u) * (1.0 - u) : 0.0; }

double plain_loss(std::span<const double> m, std::span<const double> f) {
  if (is_silent(m)) return 0.0;
  double mean = 0.0, weight = 0.0, others = 0.0;
  for (std::size_t l = 0; l < f.size(); ++l) {
    mean += m[l] * f[l];
    weight += m[l];
    others += (1.0 - m[l]) * squared_hinge(-f[l]);
  }
  return squared_hinge(mean / weight) + others;
}

// The problem is convex, so a point without a slope is the minimum.
TEST(SupersetClpl, EndsAtTheMinimumOfTheHinges) { expect_optimum(fit_clpl, plain_loss, 1e-3); }

// One row without features but its bias b: (1 - b)^2 + (1 + b')^2 for a candidate and another class.
TEST(SupersetClpl, ACandidateScoresOneAndAnotherClassMinusOne) {
  const LinearFit fit = fit_clpl({1, 2, {1.0, 0.0}}, std::vector<double>{0.0}, 1, 1.0, {});
  EXPECT_NEAR(fit.model.weights[2], 1.0, 1e-5);
  EXPECT_NEAR(fit.model.weights[3], -1.0, 1e-5);
}

}  // namespace
}  // namespace motet::superset::clpl_test
