#include "motet/audio/spectrum/taper.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace motet::audio {
namespace {

// In long double, so that the library's choice of instructions cannot show.
long double cosine_at(std::size_t n, std::size_t period) {
  return std::cos(2.0L * std::numbers::pi_v<long double> * static_cast<long double>(n) /
                  static_cast<long double>(period));
}

}  // namespace

std::vector<double> taper(Taper kind, std::size_t size) {
  std::vector<double> weights(size, 1.0);
  if (kind == Taper::none) return weights;
  for (std::size_t n = 0; n < size; ++n) {
    if (kind == Taper::hann) weights[n] = static_cast<double>(0.5L - 0.5L * cosine_at(n, size));
    if (kind == Taper::hamming) weights[n] = static_cast<double>(0.54L - 0.46L * cosine_at(n, size));
    if (kind == Taper::povey && size > 1) {
      weights[n] = static_cast<double>(std::pow(std::max(0.0L, 0.5L - 0.5L * cosine_at(n, size - 1)), 0.85L));
    }
  }
  return weights;
}

std::vector<double> padded_taper(Taper kind, std::size_t size, std::size_t length) {
  const std::vector<double> inside = taper(kind, size);
  std::vector<double> weights(std::max(length, size), 0.0);
  std::copy(inside.begin(), inside.end(), weights.begin() + static_cast<std::ptrdiff_t>((weights.size() - size) / 2));
  return weights;
}

}  // namespace motet::audio
