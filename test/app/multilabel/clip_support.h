// Recordings of two kinds of sound, alone and together, for the tests of clips.
#pragma once

#include <cmath>
#include <cstdint>
#include <string>
#include <vector>

#include "motet/base/rng.h"
#include "support/wav.h"

namespace motet::multilabel {

// Half a second at 8000 samples per second, 16 bits: a tone that comes and goes, hiss, or both.
inline std::string clip_wav(bool has_tone, bool has_hiss, std::uint64_t seed) {
  Rng rng(Seed{seed});
  constexpr std::uint32_t count = 4000;
  std::vector<std::int16_t> samples;
  for (std::uint32_t i = 0; i < count; ++i) {
    const double tone = (i / 400) % 2 == 0 ? 6000.0 * std::sin(0.4 * i) : 60.0 * std::sin(0.4 * i);
    const double value = (has_tone ? tone : 0.0) + (has_hiss ? 2000.0 : 5.0) * rng.normal();
    samples.push_back(static_cast<std::int16_t>(value));
  }
  return wav_of(samples);
}

}  // namespace motet::multilabel
