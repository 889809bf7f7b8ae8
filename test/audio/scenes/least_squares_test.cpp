#include "motet/audio/scenes/least_squares.h"

#include <gtest/gtest.h>

namespace motet::audio::least_squares_test {
namespace {

constexpr double tolerance = 1e-12;

TEST(LeastSquares, ALineThroughPoints) {
  const std::vector<double> weights = least_squares({1, {0, 1, 2}}, std::vector<double>{1, 3, 5});
  EXPECT_NEAR(weights[0], 2.0, tolerance);
  EXPECT_NEAR(weights[1], 1.0, tolerance);
}

TEST(LeastSquares, OfMoreFeaturesThanRowsTheShortest) {
  const std::vector<double> weights = least_squares({2, {0, 0, 1, 1}}, std::vector<double>{0, 2});
  EXPECT_NEAR(weights[0], 1.0, tolerance);
  EXPECT_NEAR(weights[1], 1.0, tolerance);
  EXPECT_NEAR(weights[2], 0.0, tolerance);
}

}  // namespace
}  // namespace motet::audio::least_squares_test
