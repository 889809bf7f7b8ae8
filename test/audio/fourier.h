// The discrete Fourier transform by its definition, of signals that lie side by side.
#pragma once

#include <complex>
#include <cstdint>
#include <numbers>
#include <vector>

#include "motet/base/rng.h"

namespace motet::audio {

inline std::vector<double> uniform_values(std::size_t count, std::uint64_t seed) {
  Rng rng(Seed{seed});
  std::vector<double> values(count);
  for (double& value : values) value = 2.0 * rng.uniform() - 1.0;
  return values;
}

// X_k of one of `lanes` signals.
inline std::complex<long double> by_definition(const std::vector<double>& signals, std::size_t lanes, std::size_t lane,
                                               std::size_t k) {
  const std::size_t n = signals.size() / lanes;
  std::complex<long double> sum = 0.0L;
  for (std::size_t t = 0; t < n; ++t) {
    const long double angle =
        -2.0L * std::numbers::pi_v<long double> * static_cast<long double>(k * t % n) / static_cast<long double>(n);
    sum += std::polar(1.0L, angle) * static_cast<long double>(signals[t * lanes + lane]);
  }
  return sum;
}

}  // namespace motet::audio
