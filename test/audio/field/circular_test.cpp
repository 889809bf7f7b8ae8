#include "motet/audio/field/circular.h"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

namespace motet::audio::circular_test {
namespace {

constexpr double tolerance = 1e-12;

TEST(Circular, AnglesOnBothSidesOfAHalfTurn) {
  const std::vector<double> angles = {179.0, -179.0};
  EXPECT_NEAR(std::abs(circular_spread(angles).mean), 180.0, tolerance);
  EXPECT_NEAR(arithmetic_spread(angles).mean, 0.0, tolerance);
  EXPECT_NEAR(arithmetic_spread(angles).deviation, 179.0, tolerance);
}

TEST(Circular, SmallSpreadsAreThoseOfNumbers) {
  const std::vector<double> angles = {10.0, 10.1, 9.9, 10.05};
  EXPECT_NEAR(circular_spread(angles).mean, arithmetic_spread(angles).mean, 1e-6);
  EXPECT_NEAR(circular_spread(angles).deviation, arithmetic_spread(angles).deviation, 1e-6);
}

TEST(Circular, EqualAnglesHaveNoSpreadAndOppositeOnesAFiniteOne) {
  EXPECT_EQ(circular_spread(std::vector<double>(7, 0.0)).deviation, 0.0);
  const AngleSpread opposite = circular_spread(std::vector<double>{0.0, 180.0});
  EXPECT_TRUE(std::isfinite(opposite.deviation));
  EXPECT_GT(opposite.deviation, 360.0);
}

TEST(Circular, DirectionsOfTinyAndNoNumbers) {
  EXPECT_EQ(direction_of(std::complex<double>(0.0, -1e-200)), std::complex<double>(0.0, -1.0));
  EXPECT_EQ(direction_of(std::complex<double>(0.0, 0.0)), std::complex<double>(1.0, 0.0));
  EXPECT_EQ(degrees_of({0.0, 0.0}), 0.0);
  EXPECT_EQ(degrees_of({-2.0, 0.0}), 180.0);
  EXPECT_NEAR(direction_of(30.0).imag(), 0.5, tolerance);
}

}  // namespace
}  // namespace motet::audio::circular_test
