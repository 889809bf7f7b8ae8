#include "motet/audio/spectrum/any_dft.h"

#include <gtest/gtest.h>

#include <cmath>
#include <complex>
#include <numbers>

#include "motet/audio/fft.h"
#include "motet/base/rng.h"

namespace motet::audio::any_dft_test {
namespace {

constexpr double tolerance = 1e-12;  // of the total power; three transforms of up to 2048 numbers

std::vector<double> any_signal(std::size_t size) {
  Rng rng(Seed{size});
  std::vector<double> signal(size);
  for (double& value : signal) value = 2.0 * rng.uniform() - 1.0;
  return signal;
}

TEST(AnyDft, EqualsTheDefinition) {
  for (const std::size_t n : {2U, 3U, 5U, 12U, 100U, 400U, 551U, 1000U}) {
    SCOPED_TRACE(n);
    const std::vector<double> signal = any_signal(n);
    AnyDft dft(n);
    std::vector<double> power(dft.bins());
    dft.power(signal.data(), 1, power.data());
    for (std::size_t k = 0; k < dft.bins(); ++k) {
      std::complex<long double> sum = 0.0L;
      for (std::size_t t = 0; t < n; ++t) {
        const long double angle =
            -2.0L * std::numbers::pi_v<long double> * static_cast<long double>(k * t % n) / static_cast<long double>(n);
        sum += std::polar(1.0L, angle) * static_cast<long double>(signal[t]);
      }
      EXPECT_NEAR(power[k], static_cast<double>(std::norm(sum)), tolerance * static_cast<double>(n));
    }
  }
}

TEST(AnyDft, TakesEveryNthNumber) {
  const std::vector<double> signal = any_signal(60);
  std::vector<double> apart(240);
  for (std::size_t t = 0; t < 60; ++t) apart[4 * t] = signal[t];
  AnyDft dft(60);
  std::vector<double> power(31);
  std::vector<double> power_apart(4 * 31);
  dft.power(signal.data(), 1, power.data());
  dft.power(apart.data(), 4, power_apart.data());
  for (std::size_t k = 0; k < 31; ++k) EXPECT_EQ(power_apart[4 * k], power[k]);
}

}  // namespace
}  // namespace motet::audio::any_dft_test
