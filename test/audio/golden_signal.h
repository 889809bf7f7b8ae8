// The sound of the golden rows, which needs no file: see test/golden/audio/README.md.
#pragma once

#include <cmath>
#include <cstdint>
#include <vector>

namespace motet::audio {

inline std::vector<float> golden_signal(std::size_t samples) {
  std::vector<float> sound(samples);
  std::uint64_t state = 1;
  for (std::size_t n = 0; n < samples; ++n) {
    state = (1103515245 * state + 12345) % (std::uint64_t{1} << 31);
    const double noise = static_cast<double>(state) / 2147483648.0 - 0.5;
    sound[n] =
        static_cast<float>(std::ldexp(noise, -static_cast<int>((n >> 11) & 7)) + (n / 37 % 2 == 1 ? 0.25 : -0.25));
  }
  return sound;
}

}  // namespace motet::audio
