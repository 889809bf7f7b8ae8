// Four-channel recordings of fields whose indicators are known: a plane wave of white noise, and many of them from
// everywhere.
//
// There is no head between the microphones, whatever `array` says. Sounds go round: what leaves at the end comes in at
// the beginning.
#pragma once

#include "motet/audio/scene/array.h"
#include "motet/base/rng.h"
#include "motet/data/sound.h"

namespace motet::audio {

// `samples`: a power of two.
Sound plane_wave(const ArrayOptions& array, double degrees, double sample_rate, std::size_t samples, Rng rng);
Sound diffuse_field(const ArrayOptions& array, std::size_t waves, double sample_rate, std::size_t samples, Rng rng);

}  // namespace motet::audio
