#include "motet/audio/fft.h"

#include <gtest/gtest.h>

#include <cmath>
#include <complex>
#include <numbers>

#include "audio/fourier.h"
#include "motet/base/error.h"
#include "support/processor.h"

namespace motet::audio::fft_test {
namespace {

// Rounding in log2(n) stages, relative to the total power.
constexpr double tolerance = 1e-14;

// |X_k|^2 of one of the four signals, by the definition.
double direct_power(const std::vector<double>& signals, std::size_t lane, std::size_t k) {
  return static_cast<double>(std::norm(by_definition(signals, fft_lanes, lane, k)));
}

TEST(RealFft, EqualsTheDefinitionForEverySize) {
  for (std::size_t n = 4; n <= 256; n *= 2) {
    SCOPED_TRACE(n);
    const std::vector<double> signals = uniform_values(n * fft_lanes, n);
    const RealFft fft(n);
    std::vector<double> work = signals;
    std::vector<double> power(fft.bins() * fft_lanes);
    fft.power(work, power);
    for (std::size_t k = 0; k < fft.bins(); ++k) {
      for (std::size_t lane = 0; lane < fft_lanes; ++lane) {
        EXPECT_NEAR(power[k * fft_lanes + lane], direct_power(signals, lane, k),
                    tolerance * static_cast<double>(n * n));
      }
    }
  }
}

TEST(RealFft, LongTransformsKeepTheirDigits) {
  for (const std::size_t n : {16384U, 32768U}) {
    const std::vector<double> signals = uniform_values(n * fft_lanes, 7);
    const RealFft fft(n);
    std::vector<double> work = signals;
    std::vector<double> power(fft.bins() * fft_lanes);
    fft.power(work, power);
    for (const std::size_t k : {std::size_t{0}, std::size_t{1}, n / 8 + 3, n / 4, n / 2 - 1, n / 2}) {
      const double expected = direct_power(signals, 2, k);
      EXPECT_NEAR(power[k * fft_lanes + 2], expected, tolerance * static_cast<double>(n) * 10) << n << ' ' << k;
    }
  }
}

TEST(RealFft, ASignalDoesNotNoticeItsNeighbours) {
  const std::size_t n = 512;
  const RealFft fft(n);
  std::vector<double> first = uniform_values(n * fft_lanes, 1);
  std::vector<double> second = uniform_values(n * fft_lanes, 2);
  for (std::size_t t = 0; t < n; ++t) second[t * fft_lanes + 3] = first[t * fft_lanes];
  std::vector<double> a(fft.bins() * fft_lanes);
  std::vector<double> b(fft.bins() * fft_lanes);
  fft.power(first, a);
  fft.power(second, b);
  for (std::size_t k = 0; k < fft.bins(); ++k) EXPECT_EQ(a[k * fft_lanes], b[k * fft_lanes + 3]);
}

TEST(RealFft, SizesThatAreNoPowersOfTwoAreADefect) {
  for (const std::size_t n : {0U, 1U, 2U, 3U, 6U, 100U}) EXPECT_THROW(RealFft{n}, Error);
}

TEST(PowerOfTwoFrom, RoundsUp) {
  EXPECT_EQ(power_of_two_from(1), 1U);
  EXPECT_EQ(power_of_two_from(11025), 16384U);
  EXPECT_EQ(power_of_two_from(2048), 2048U);
  EXPECT_EQ(power_of_two_from(2049), 4096U);
}

TEST(RealFft, HasTheSameBitsAtEveryLevelOfTheProcessor) {
  for (std::size_t n = 4; n <= 4096; n *= 2) {
    const RealFft fft(n);
    const std::vector<double> signals = numbers_of_many_sizes(n * fft_lanes, n);
    expect_same_bits_at_every_level([&] {
      std::vector<double> work = signals;
      std::vector<double> power(fft.bins() * fft_lanes);
      fft.power(work, power);
      return power;
    });
  }
}

}  // namespace
}  // namespace motet::audio::fft_test
