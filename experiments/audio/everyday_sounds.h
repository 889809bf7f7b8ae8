// What is heard in chapter 4, made by rule: clean speech, noise and music, each clip as different from the others as
// clips of many recordings are.
//
// Noise is what the chapter names: people (babble, laughter), machines and the household (hum, bursts, coloured noise),
// and weather. Music has instruments, a beat and drums or a singer in some. Each clip has passed a microphone of its
// own (up to 3 dB per octave of tilt), has another noise 20 to 40 dB below it, as recordings have, and ends at 8 kHz
// whatever it is, so that neither colour nor bandwidth tells the class.
#pragma once

#include <cstddef>
#include <vector>

#include "motet/base/rng.h"

namespace motet::audio {

constexpr double heard_rate = 20480.0;                       // Hz
constexpr std::size_t heard_samples = std::size_t{1} << 18;  // 12.8 s

enum class Everyday { speech, noise, music };

// At a power of 1. 12.8 s that go round: what is filtered at the end comes in at the beginning.
std::vector<float> everyday_sound(Everyday kind, Rng rng);

// The same channel of a sound from elsewhere: as long, coloured, with a power of 1. A shorter sound is repeated.
std::vector<float> as_heard(const std::vector<float>& sound, Rng rng);

// Speech over noise, by decibels of power; again at a power of 1.
std::vector<float> speech_in_noise(const std::vector<float>& speech, const std::vector<float>& noise, double decibels);

}  // namespace motet::audio
