#include "experiments/audio/everyday_sounds.h"

#include <algorithm>
#include <cmath>
#include <span>

#include "motet/audio/lane_fft.h"
#include "motet/audio/scene/synthesis.h"

namespace motet::audio {
namespace {

constexpr double heard_seconds = static_cast<double>(heard_samples) / heard_rate;
constexpr double edge_hertz = 8000.0;
constexpr double most_tilt = 3.0;  // dB per octave

using Heard = std::vector<float>;

Heard synthesized(SoundKind kind, Rng rng) { return synthesize(kind, heard_seconds, heard_rate, rng); }

void to_power_one(Heard& sound) {
  double sum = 0.0;
  for (const float x : sound) sum += static_cast<double>(x) * static_cast<double>(x);
  const auto factor = static_cast<float>(sum > 0.0 ? std::sqrt(static_cast<double>(sound.size()) / sum) : 0.0);
  for (float& x : sound) x *= factor;
}

void add_at(Heard& sound, const Heard& other, double decibels) {
  const auto factor = static_cast<float>(std::pow(10.0, decibels / 20.0));
  for (std::size_t t = 0; t < sound.size(); ++t) sound[t] += factor * other[t];
}

Heard voices(std::size_t count, Rng rng) {
  Heard sound(heard_samples, 0.0F);
  for (std::uint64_t who = 0; who < count; ++who) add_at(sound, synthesized(SoundKind::speech, rng.child(who)), 0.0);
  return sound;
}

// Short hisses, as of a printer or of steps: regular or not.
Heard bursts(Rng rng) {
  Heard sound = synthesized(SoundKind::noise, rng.child(0));
  const double period = rng.uniform(0.1, 1.2);
  const double shake = rng.uniform(0.0, 0.5);
  const double decay = rng.uniform(0.01, 0.15);
  std::vector<float> level(sound.size(), 0.05F);
  for (double at = 0.0; at < heard_seconds; at += period * (1.0 + shake * rng.uniform(-1.0, 1.0))) {
    for (std::size_t t = static_cast<std::size_t>(at * heard_rate); t < level.size(); ++t) {
      const double since = static_cast<double>(t) / heard_rate - at;
      if (since > 6.0 * decay) break;
      level[t] = std::max(level[t], static_cast<float>(std::exp(-since / decay)));
    }
  }
  for (std::size_t t = 0; t < sound.size(); ++t) sound[t] *= level[t];
  return sound;
}

// A voice that goes on and off five times per second.
Heard laughter(Rng rng) {
  Heard sound = synthesized(SoundKind::speech, rng.child(0));
  const double pace = rng.uniform(4.0, 6.0);
  for (std::size_t t = 0; t < sound.size(); ++t) {
    const double turn = std::sin(6.283185307179586 * pace * static_cast<double>(t) / heard_rate);
    sound[t] *= static_cast<float>(std::max(0.0, turn));
  }
  add_at(sound, synthesized(SoundKind::noise, rng.child(1)), -rng.uniform(6.0, 20.0));
  return sound;
}

Heard some_noise(Rng rng) {
  switch (rng.below(7)) {
    case 0:
    case 1: return synthesized(SoundKind::noise, rng.child(0));
    case 2: return voices(3 + rng.below(6), rng.child(1));
    case 3: return laughter(rng.child(2));
    case 4: return bursts(rng.child(3));
    case 5: return synthesized(SoundKind::rain, rng.child(4));
    default: return synthesized(SoundKind::wind, rng.child(5));
  }
}

Heard some_music(Rng rng) {
  Heard sound = synthesized(SoundKind::music, rng.child(0));
  if (rng.uniform() < 0.4) add_at(sound, bursts(rng.child(1)), -rng.uniform(0.0, 12.0));
  if (rng.uniform() < 0.4) add_at(sound, synthesized(SoundKind::speech, rng.child(2)), -rng.uniform(0.0, 12.0));
  return sound;
}

}  // namespace

Heard as_heard(const Heard& sound, Rng rng) {
  LaneFft fft(heard_samples);
  std::vector<double> signals(LaneFft::lanes * heard_samples, 0.0);
  for (std::size_t t = 0; t < heard_samples; ++t) {
    signals[LaneFft::lanes * t] = static_cast<double>(sound[t % sound.size()]);
  }
  std::vector<double> spectra(2 * LaneFft::lanes * fft.bins());
  fft.spectra(signals, spectra);
  const double tilt = rng.uniform(-most_tilt, most_tilt);
  for (std::size_t k = 0; k < fft.bins(); ++k) {
    const double hertz = static_cast<double>(k) * heard_rate / static_cast<double>(heard_samples);
    const double octaves = std::log2(std::max(hertz, 50.0) / 1000.0);
    const double gain = hertz < edge_hertz ? std::pow(10.0, tilt * octaves / 20.0) : 0.0;
    spectra[2 * LaneFft::lanes * k] *= gain;
    spectra[2 * LaneFft::lanes * k + LaneFft::lanes] *= gain;
  }
  fft.signals(spectra, signals);
  Heard heard(heard_samples);
  for (std::size_t t = 0; t < heard_samples; ++t) heard[t] = static_cast<float>(signals[LaneFft::lanes * t]);
  to_power_one(heard);
  return heard;
}

Heard everyday_sound(Everyday kind, Rng rng) {
  Heard sound = kind == Everyday::speech  ? synthesized(SoundKind::speech, rng.child(0))
                : kind == Everyday::noise ? some_noise(rng.child(1))
                                          : some_music(rng.child(2));
  to_power_one(sound);
  Heard behind = some_noise(rng.child(3));
  to_power_one(behind);
  add_at(sound, behind, -rng.uniform(20.0, 40.0));
  return as_heard(sound, rng.child(4));
}

Heard speech_in_noise(const Heard& speech, const Heard& noise, double decibels) {
  Heard sound = speech;
  add_at(sound, noise, -decibels);
  to_power_one(sound);
  return sound;
}

}  // namespace motet::audio
