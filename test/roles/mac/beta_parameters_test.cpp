#include "motet/roles/mac/beta_parameters.h"

#include <gtest/gtest.h>

#include <boost/math/special_functions/digamma.hpp>
#include <cmath>
#include <utility>

namespace motet::roles::beta_parameters_test {
namespace {

TEST(BetaParameters, AreFoundFromTheirMoments) {
  using boost::math::digamma;
  constexpr double parameter_tolerance = 1e-4;  // relative; the objective is flat to 1e-12 there
  for (const auto& [a, b] : {std::pair{2.0, 5.0}, {0.3, 0.4}, {1.0, 30.0}, {60.0, 2.0}, {300.0, 200.0}}) {
    for (const auto& [x, y] : {std::pair{1.0, 1.0}, {27.0, 3.0}, {0.02, 50.0}}) {
      double found_a = x;
      double found_b = y;
      beta_parameters(digamma(a) - digamma(a + b), digamma(b) - digamma(a + b), found_a, found_b);
      EXPECT_NEAR(found_a, a, parameter_tolerance * a) << a << ' ' << b << " from " << x << ' ' << y;
      EXPECT_NEAR(found_b, b, parameter_tolerance * b) << a << ' ' << b << " from " << x << ' ' << y;
    }
  }
}

TEST(BetaParameters, OfUsersWhoDoNotDifferStayBounded) {
  // All p equal to 0.2: the likelihood rises with a + b for ever.
  double a = 6.0;
  double b = 24.0;
  for (int again = 0; again < 20; ++again) beta_parameters(std::log(0.2), std::log(0.8), a, b);
  EXPECT_LE(a + b, 1e4 * (1.0 + 1e-12));
  EXPECT_GE(a + b, 9e3);
  EXPECT_NEAR(a / (a + b), 0.2, 1e-3);
}

}  // namespace
}  // namespace motet::roles::beta_parameters_test
