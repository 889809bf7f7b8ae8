#include "motet/base/logarithm.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace motet::logarithm_test {
namespace {

TEST(Logarithm, IsWithinARoundingOfTheLibrarys) {
  for (double x = std::numeric_limits<double>::min(); x < 1e308; x *= 1.0371) {
    const double expected = std::log(x);
    EXPECT_NEAR(log_of_positive(x), expected, 4e-16 * std::max(1.0, std::abs(expected))) << x;
  }
}

TEST(Logarithm, IsExactAtOne) { EXPECT_EQ(log_of_positive(1.0), 0.0); }

}  // namespace
}  // namespace motet::logarithm_test
