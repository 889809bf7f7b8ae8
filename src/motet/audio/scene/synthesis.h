// Sounds made by rule, for experiments that must not depend on recordings.
//
// None of them is meant to be taken for the real thing; each has what features look at:
//
//   speech  syllables, 3 to 5 per second, of a voice whose pitch glides, through three resonances that move, with
//   hisses and pauses noise   one of white, pink, brown, humming or babbling noise, with slow changes of level music
//   chords that change with a beat, of decaying harmonic tones, and a bass bird    songs of 3.5 s at most: whistled
//   syllables that sweep and repeat between 2 and 8 kHz rain    many short drops over a hiss wind    low noise in gusts
#pragma once

#include <cstddef>
#include <vector>

#include "motet/base/fields.h"
#include "motet/base/rng.h"

namespace motet::audio {

enum class SoundKind { speech, noise, music, bird, rain, wind };

inline Choices sound_kinds() { return {{"speech", "noise", "music", "bird", "rain", "wind"}}; }

// At a level of -23 dB on the average. What is above half the sample rate is left out.
std::vector<float> synthesize(SoundKind kind, double seconds, double sample_rate, Rng rng);

}  // namespace motet::audio
