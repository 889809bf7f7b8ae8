#include "motet/base/log_gamma.h"

#include <gtest/gtest.h>

namespace motet::log_gamma_test {
namespace {

TEST(LogGamma, HasTheBitsOfTheLibrary) {
  for (const double x : {1e-9, 0.3, 0.5, 1.0, 1.5, 2.0, 3.0, 7.25, 300.0, 1e6}) {
    EXPECT_EQ(lgamma_alone(x), std::lgamma(x)) << x;
  }
}

}  // namespace
}  // namespace motet::log_gamma_test
