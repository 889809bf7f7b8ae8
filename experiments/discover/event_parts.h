// What made events are put together from.
#pragma once

#include <cmath>
#include <span>

#include "experiments/discover/sound_tools.h"

namespace motet::discover {

// Both streams of an occurrence.
struct EventDraw {
  Rng common;
  Rng varied;
  double rate;

  double about(double value, double part = 0.05) { return value * varied.uniform(1.0 - part, 1.0 + part); }
};

inline void put(Wave& wave, double begin, std::span<const double> part, double gain, double rate) {
  const std::size_t first = samples_of(begin, rate);
  if (wave.size() < first + part.size()) wave.resize(first + part.size());
  add_at(wave, first, part, gain);
}

// A tone along a contour pitch(part of the length), with harmonics of the levels given.
template <class Pitch>
Wave gliding(double length, double rate, std::span<const double> levels, double edge, const Pitch& pitch) {
  Wave wave(samples_of(length, rate));
  double phase = 0.0;
  for (std::size_t i = 0; i < wave.size(); ++i) {
    const double time = static_cast<double>(i) / rate;
    const double hertz = pitch(time / length);
    phase += hertz / rate;
    double sum = 0.0;
    for (std::size_t h = 0; h < levels.size(); ++h) {
      const auto multiple = static_cast<double>(h + 1);
      if (hertz * multiple < 0.45 * rate) sum += levels[h] * std::sin(turn * multiple * phase);
    }
    wave[i] = ends_at(time, length, edge) * sum;
  }
  return wave;
}

}  // namespace motet::discover
