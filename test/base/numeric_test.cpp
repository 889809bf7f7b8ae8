#include "motet/base/numeric.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <vector>

namespace motet::numeric_test {
namespace {

constexpr double tiny = 1e-12;  // a few roundings

TEST(Numeric, LogSumExpStandsLargeAndEmptyInput) {
  EXPECT_NEAR(log_sum_exp(std::vector<double>{0.0, 0.0}), std::log(2.0), tiny);
  EXPECT_NEAR(log_sum_exp(std::vector<double>{1000.0, 1000.0}), 1000.0 + std::log(2.0), tiny * 1000);
  EXPECT_EQ(log_sum_exp({}), -std::numeric_limits<double>::infinity());
}

TEST(Numeric, QuantilesAgreeWithTables) {
  EXPECT_NEAR(normal_quantile(0.975), 1.959963984540054, 1e-9);
  EXPECT_NEAR(chi_squared_quantile(0.95, 1.0), 3.841458820694124, 1e-9);
  EXPECT_NEAR(beta_quantile(1.0, 1.0, 0.3), 0.3, 1e-9);
}

TEST(Numeric, MeanAndItsError) {
  const std::vector<double> values = {1.0, 2.0, 3.0, 4.0};
  const MeanSd found = mean_sd(values);
  EXPECT_NEAR(found.mean, 2.5, tiny);
  EXPECT_NEAR(found.sd, std::sqrt(5.0 / 3.0), tiny);
  EXPECT_NEAR(found.error, found.sd / 2.0, tiny);
}

}  // namespace
}  // namespace motet::numeric_test
