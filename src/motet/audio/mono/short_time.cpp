#include "motet/audio/mono/short_time.h"

#include <algorithm>
#include <cmath>

#include "motet/audio/spectrum/taper.h"

namespace motet::audio {

ShortTimePower::ShortTimePower(std::size_t size, std::size_t hop)
    : fft_(size),
      hop_(hop),
      window_(taper(Taper::hann, size)),
      signals_(LaneFft::lanes * size),
      spectra_(2 * LaneFft::lanes * fft_.bins()) {}

std::size_t ShortTimePower::windows_in(std::size_t samples) const {
  return samples < fft_.size() ? 0 : (samples - fft_.size()) / hop_ + 1;
}

std::vector<double> ShortTimePower::operator()(std::span<const float> sound) {
  constexpr std::size_t lanes = LaneFft::lanes;
  const std::size_t windows = windows_in(sound.size());
  std::vector<double> power(windows * bins());
  for (std::size_t first = 0; first < windows; first += lanes) {
    const std::size_t count = std::min(lanes, windows - first);
    for (std::size_t s = 0; s < lanes; ++s) {  // lanes that are not needed repeat the first
      const float* const from = sound.data() + (first + (s < count ? s : 0)) * hop_;
      for (std::size_t t = 0; t < fft_.size(); ++t) signals_[lanes * t + s] = window_[t] * static_cast<double>(from[t]);
    }
    fft_.spectra(signals_, spectra_);
    for (std::size_t s = 0; s < count; ++s) {
      double* const to = power.data() + (first + s) * bins();
      for (std::size_t k = 0; k < bins(); ++k) {
        const double re = spectra_[2 * lanes * k + s];
        const double im = spectra_[2 * lanes * k + lanes + s];
        to[k] = re * re + im * im;
      }
    }
  }
  return power;
}

}  // namespace motet::audio
