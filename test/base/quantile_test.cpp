#include "motet/base/quantile.h"

#include <gtest/gtest.h>

namespace motet::quantile_test {
namespace {

TEST(Quantile, LiesOnTheLineBetweenValues) {
  EXPECT_EQ(quantile_of({3.0, 1.0, 2.0}, 0.5), 2.0);
  EXPECT_DOUBLE_EQ(quantile_of({0.0, 10.0}, 0.9), 9.0);
  EXPECT_EQ(quantile_of({4.0}, 0.1), 4.0);
  EXPECT_EQ(quantile_of({}, 0.1), 0.0);
  EXPECT_EQ(quantile_of({1.0, 2.0}, 1.0), 2.0);
}

TEST(Quantile, QuartilesAreOfAnyOrder) {
  EXPECT_EQ(quartiles_of({5.0, 1.0, 4.0, 2.0, 3.0}), (std::array<double, 5>{1.0, 2.0, 3.0, 4.0, 5.0}));
  EXPECT_EQ(quartiles_of({2.0}), (std::array<double, 5>{2.0, 2.0, 2.0, 2.0, 2.0}));
}

}  // namespace
}  // namespace motet::quantile_test
