#include "motet/audio/mono/short_time.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

namespace motet::audio::short_time_test {
namespace {

TEST(ShortTime, AToneIsInItsBin) {
  std::vector<float> tone(128 + 5 * 64);
  for (std::size_t n = 0; n < tone.size(); ++n) {
    tone[n] = static_cast<float>(std::cos(2.0 * std::numbers::pi * 10.0 / 128.0 * static_cast<double>(n)));
  }
  ShortTimePower power(128, 64);
  const std::vector<double> found = power(tone);
  ASSERT_EQ(found.size(), 6U * 65U);
  for (std::size_t t = 0; t < 6; ++t) EXPECT_NEAR(found[t * 65 + 10], 32.0 * 32.0, 1e-3);  // half the sum of the window
  EXPECT_TRUE(power(std::span(tone).first(127)).empty());
}

}  // namespace
}  // namespace motet::audio::short_time_test
