#include "motet/audio/spectrum/taper.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

namespace motet::audio::taper_test {
namespace {

TEST(Taper, IsPeriodic) {
  const std::vector<double> hann = taper(Taper::hann, 4);
  EXPECT_EQ(hann, (std::vector<double>{0.0, 0.5, 1.0, 0.5}));
  const std::vector<double> hamming = taper(Taper::hamming, 4);
  EXPECT_NEAR(hamming[0], 0.08, 1e-15);
  EXPECT_NEAR(hamming[2], 1.0, 1e-15);
}

TEST(Taper, OfPoveyIsSymmetric) {
  const std::vector<double> povey = taper(Taper::povey, 401);
  EXPECT_EQ(povey.front(), 0.0);
  EXPECT_NEAR(povey[200], 1.0, 1e-15);
  EXPECT_NEAR(povey[100], std::pow(0.5, 0.85), 1e-15);
  for (std::size_t n = 0; n < 401; ++n) EXPECT_NEAR(povey[n], povey[400 - n], 1e-15);
}

TEST(Taper, NoneIsOneEverywhere) { EXPECT_EQ(taper(Taper::none, 3), std::vector<double>(3, 1.0)); }

TEST(Taper, LiesInTheMiddleOfALongerTransform) {
  EXPECT_EQ(padded_taper(Taper::none, 3, 8), (std::vector<double>{0, 0, 1, 1, 1, 0, 0, 0}));
  EXPECT_EQ(padded_taper(Taper::none, 3, 3), std::vector<double>(3, 1.0));
}

}  // namespace
}  // namespace motet::audio::taper_test
