// Power spectra of short windows of one channel, and what the sets of features for one channel count in them.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "motet/audio/lane_fft.h"

namespace motet::audio {

// Windows of `size` samples (a power of two), a new one every `hop`, with a Hann window (periodic).
class ShortTimePower {
 public:
  ShortTimePower(std::size_t size, std::size_t hop);

  std::size_t bins() const { return fft_.bins(); }
  std::size_t windows_in(std::size_t samples) const;

  // |X_k|^2 of window t at [t bins() + k].
  std::vector<double> operator()(std::span<const float> sound);

 private:
  LaneFft fft_;
  std::size_t hop_;
  std::vector<double> window_;
  std::vector<double> signals_;
  std::vector<double> spectra_;
};

}  // namespace motet::audio
