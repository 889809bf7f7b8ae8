#include "motet/audio/scene/array.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

namespace motet::audio::array_test {
namespace {

constexpr double tolerance = 1e-12;

TEST(Array, WithoutAHeadOnlyTheWayCounts) {
  const ArrayOptions array{.head = HeadModel::none};
  const auto ahead = heard_by(array, horizontal(0.0), 1000.0);
  EXPECT_NEAR(std::arg(ahead[0] / ahead[1]), 2.0 * std::numbers::pi * 1000.0 * 0.01 / 343.0, tolerance);
  EXPECT_NEAR(std::abs(ahead[0] - ahead[2]), 0.0, tolerance);
  const auto left = heard_by(array, horizontal(90.0), 1000.0);
  EXPECT_NEAR(std::abs(left[0] - left[1]), 0.0, tolerance);
  EXPECT_NEAR(std::abs(left[0] - std::conj(left[2])), 0.0, tolerance);  // as much earlier as later
}

TEST(Array, TheHeadShadesHighFrequencies) {
  const ArrayOptions array;
  const auto high = heard_by(array, horizontal(90.0), 8000.0);
  EXPECT_GT(std::abs(high[0]), 1.5);
  EXPECT_LT(std::abs(high[2]), 0.5);
  const auto low = heard_by(array, horizontal(90.0), 50.0);
  EXPECT_NEAR(std::abs(low[0]), 1.0, 0.01);
  EXPECT_NEAR(std::abs(low[2]), 1.0, 0.01);
  const auto ahead = heard_by(array, horizontal(0.0), 3000.0);
  EXPECT_NEAR(std::abs(ahead[0] - ahead[2]), 0.0, tolerance);  // both sides alike
}

}  // namespace
}  // namespace motet::audio::array_test
