// Scenes made by the program: speech-like sounds, noises, music-like sounds, and speech in noise.
//
// Every clip draws its own voice, kind of noise or instruments, so that clips of a class differ as much as they can: a
// voice has a pitch, a length of the vocal tract and a pace; noises are coloured noise, passing vehicles, machines and
// babble; music has a key, an attack and a rhythm. All are heard in a
// room (fading by 60 dB in 0.3 to 1.5 s), with another noise behind.
#pragma once

#include <cstddef>
#include <vector>

#include "motet/base/rng.h"

namespace motet::multilabel {

constexpr double scene_rate = 16000.0;  // Hz

enum class Scene { speech, noise, speech_in_noise, music };
constexpr std::size_t scene_count = 4;

// `seconds` of a scene with a power of 1. Speech and noise are mixed at -5 to 10 dB.
std::vector<float> scene_sound(Scene scene, double seconds, Rng rng);

}  // namespace motet::multilabel
