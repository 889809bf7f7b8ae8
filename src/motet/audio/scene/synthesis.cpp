#include "motet/audio/scene/synthesis.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <span>

namespace motet::audio {
namespace {

constexpr double full_circle = 2.0 * std::numbers::pi;
constexpr double usual_level = 0.0708;  // root of the mean square: -23 dB

using Wave = std::vector<double>;

// A resonance of two poles whose place may move from sample to sample.
class Resonance {
 public:
  double operator()(double x, double hertz, double width, double rate) {
    const double radius = std::exp(-std::numbers::pi * width / rate);
    const double y = (1.0 - radius) * x + 2.0 * radius * std::cos(full_circle * hertz / rate) * before_ -
                     radius * radius * before_that_;
    before_that_ = before_;
    before_ = y;
    return y;
  }

 private:
  double before_ = 0.0;
  double before_that_ = 0.0;
};

class LowPass {
 public:
  LowPass(double hertz, double rate) : keep_(std::exp(-full_circle * hertz / rate)) {}
  double operator()(double x) { return value_ = keep_ * value_ + (1.0 - keep_) * x; }

 private:
  double keep_;
  double value_ = 0.0;
};

// Rises and falls by halves of a cosine within `edge` of each end.
double envelope_at(double time, double length, double edge) {
  const double from_end = std::min(time, length - time);
  if (from_end <= 0.0) return 0.0;
  return from_end >= edge ? 1.0 : 0.5 - 0.5 * std::cos(std::numbers::pi * from_end / edge);
}

// Vowels by their first three resonances, Hz.
constexpr std::array<std::array<double, 3>, 6> vowels = {
    {{730, 1090, 2440}, {270, 2290, 3010}, {300, 870, 2240}, {530, 1840, 2480}, {570, 840, 2410}, {660, 1720, 2410}}};

struct Speaker {
  double pitch;  // Hz
  double size;   // of the resonances
  double phase = 0.0;
  std::array<Resonance, 3> voice;
  Resonance hiss;
};

void add_hiss(Speaker& speaker, double rate, Rng& rng, std::span<double> out) {
  const double hertz = std::min(rng.uniform(3500.0, 6500.0), 0.45 * rate);
  const double length = static_cast<double>(out.size()) / rate;
  for (std::size_t t = 0; t < out.size(); ++t) {
    const double level = envelope_at(static_cast<double>(t) / rate, length, 0.02);
    out[t] += 1.5 * speaker.hiss(level * rng.normal(), hertz, 1500.0, rate);
  }
}

void add_syllable(Speaker& speaker, double rate, Rng& rng, std::span<double> out) {
  const auto& from = vowels[rng.below(vowels.size())];
  const auto& to = vowels[rng.below(vowels.size())];
  const double first_pitch = speaker.pitch * rng.uniform(0.85, 1.2);
  const double last_pitch = first_pitch * rng.uniform(0.8, 1.1);
  const double loudness = rng.uniform(0.5, 1.0);
  const double length = static_cast<double>(out.size()) / rate;
  for (std::size_t t = 0; t < out.size(); ++t) {
    const double part = static_cast<double>(t) / static_cast<double>(out.size());
    speaker.phase += (first_pitch + part * (last_pitch - first_pitch)) / rate;
    const bool closes = speaker.phase >= 1.0;
    if (closes) speaker.phase -= std::floor(speaker.phase);
    const double level = loudness * envelope_at(static_cast<double>(t) / rate, length, 0.03);
    const double source = (closes ? 30.0 : 0.0) + 0.05 * rng.normal();
    for (std::size_t i = 0; i < 3; ++i) {
      const double hertz = std::min(speaker.size * (from[i] + part * (to[i] - from[i])), 0.45 * rate);
      out[t] += speaker.voice[i](level * source, hertz, 60.0 + 40.0 * static_cast<double>(i), rate);
    }
  }
}

void add_speech(double rate, Rng& rng, std::span<double> out) {
  Speaker speaker{rng.uniform(90.0, 230.0), rng.uniform(0.9, 1.2), 0.0, {}, {}};
  const auto samples = [&](double seconds) { return static_cast<std::size_t>(seconds * rate); };
  std::size_t at = samples(rng.uniform(0.0, 0.2));
  while (at < out.size()) {
    const std::size_t length = std::min(samples(rng.uniform(0.12, 0.28)), out.size() - at);
    if (rng.uniform() < 0.4) add_hiss(speaker, rate, rng, out.subspan(at, std::min(length, samples(0.09))));
    add_syllable(speaker, rate, rng, out.subspan(at, length));
    at += length + samples(rng.uniform() < 0.15 ? rng.uniform(0.25, 0.7) : rng.uniform(0.01, 0.06));
  }
}

void add_coloured(double corner, double rate, Rng& rng, std::span<double> out) {
  LowPass low(corner, rate);
  const double speed = rng.uniform(0.05, 0.5);
  const double depth = rng.uniform(0.0, 0.5);
  const double phase = rng.uniform();
  for (std::size_t t = 0; t < out.size(); ++t) {
    const double level = 1.0 + depth * std::sin(full_circle * (phase + speed * static_cast<double>(t) / rate));
    out[t] += level * low(rng.normal());
  }
}

void add_hum(double rate, Rng& rng, std::span<double> out) {
  const double hertz = rng.uniform(40.0, 160.0);
  for (int h = 1; h <= 12 && hertz * h < 0.45 * rate; ++h) {
    const double level = 0.1 * rng.uniform() / h;
    const double phase = rng.uniform();
    for (std::size_t t = 0; t < out.size(); ++t) {
      out[t] += level * std::sin(full_circle * (phase + hertz * h * static_cast<double>(t) / rate));
    }
  }
}

void add_noise(double rate, Rng& rng, std::span<double> out) {
  switch (rng.below(5)) {
    case 0: return add_coloured(0.45 * rate, rate, rng, out);
    case 1: return add_coloured(2000.0, rate, rng, out);
    case 2: return add_coloured(300.0, rate, rng, out);
    case 3: add_coloured(800.0, rate, rng, out); return add_hum(rate, rng, out);
    default: break;
  }
  for (int voice = 0; voice < 8; ++voice) add_speech(rate, rng, out);
}

// Harmonics that die away, the higher the sooner.
void add_tone(double hertz, double level, double decay, double rate, std::span<double> out) {
  for (int h = 1; h <= 8 && hertz * h < 0.45 * rate; ++h) {
    for (std::size_t t = 0; t < out.size(); ++t) {
      const double time = static_cast<double>(t) / rate;
      const double attack = std::min(1.0, time / 0.01);
      out[t] += level / h * attack * std::exp(-decay * h * time) * std::sin(full_circle * hertz * h * time);
    }
  }
}

void add_music(double rate, Rng& rng, std::span<double> out) {
  constexpr std::array<int, 4> chords = {0, 5, 7, 9};  // half tones above the key
  const double key = rng.uniform(110.0, 220.0);
  const double beat = 60.0 / rng.uniform(70.0, 140.0);
  const double decay = rng.uniform(0.5, 2.5);
  const auto note = [&](int half_tones) { return key * std::pow(2.0, half_tones / 12.0); };
  int chord = 0;
  std::size_t beats = 0;
  for (double at = 0.0; at < static_cast<double>(out.size()) / rate; at += beat / 2.0, ++beats) {
    const auto first = static_cast<std::size_t>(at * rate);
    const std::size_t length = std::min(out.size() - first, static_cast<std::size_t>(2.0 * beat * rate));
    const std::span<double> part = out.subspan(first, length);
    if (beats % 8 == 0) {
      chord = chords[rng.below(chords.size())];
      for (const int third : {0, 4, 7}) add_tone(note(chord + third), 0.25, decay / 2.0, rate, part);
    }
    if (beats % 2 == 0) add_tone(note(chord) / 2.0, 0.4, decay, rate, part);
    constexpr std::array<int, 5> melody = {0, 4, 7, 12, 14};
    if (rng.uniform() < 0.7) add_tone(note(chord + melody[rng.below(melody.size())] + 12), 0.3, decay, rate, part);
  }
}

// One syllable of a bird: a sweep with a trill on it.
struct Chirp {
  double length, from, to, trill, depth;
};

void add_chirp(const Chirp& chirp, double rate, std::span<double> out) {
  double phase = 0.0;
  for (std::size_t t = 0; t < out.size(); ++t) {
    const double time = static_cast<double>(t) / rate;
    const double hertz = chirp.from + (chirp.to - chirp.from) * time / chirp.length +
                         chirp.depth * std::sin(full_circle * chirp.trill * time);
    phase += std::min(hertz, 0.45 * rate) / rate;
    const double level = envelope_at(time, chirp.length, 0.2 * chirp.length);
    out[t] += level * (std::sin(full_circle * phase) +
                       (2.0 * hertz < 0.45 * rate ? 0.15 * std::sin(2.0 * full_circle * phase) : 0.0));
  }
}

void add_bird(double rate, Rng& rng, std::span<double> out) {
  std::array<Chirp, 3> syllables{};
  for (Chirp& one : syllables) {
    one = {rng.uniform(0.06, 0.25), rng.uniform(2000.0, 7000.0), 0.0, rng.uniform(10.0, 60.0), rng.uniform(0.0, 400.0)};
    one.to = std::clamp(one.from * rng.uniform(0.6, 1.6), 1800.0, 8000.0);
  }
  double at = rng.uniform(0.0, 0.1);
  const double end = static_cast<double>(out.size()) / rate;
  while (at < end) {
    const Chirp& chirp = syllables[rng.below(syllables.size())];
    const std::size_t repeats = 1 + rng.below(5);
    for (std::size_t i = 0; i < repeats && at + chirp.length < end; ++i) {
      add_chirp(chirp, rate,
                out.subspan(static_cast<std::size_t>(at * rate), static_cast<std::size_t>(chirp.length * rate)));
      at += chirp.length + 0.03;
    }
    at += rng.uniform(0.05, 0.25);
  }
}

void add_rain(double rate, Rng& rng, std::span<double> out) {
  add_coloured(0.3 * rate, rate, rng, out);
  for (double& x : out) x *= 0.15;
  const auto drops = static_cast<std::size_t>(200.0 * static_cast<double>(out.size()) / rate);
  for (std::size_t i = 0; i < drops; ++i) {
    const std::size_t first = rng.below(out.size());
    const double hertz = std::min(rng.uniform(800.0, 7000.0), 0.45 * rate);
    const double level = 0.6 * rng.uniform() * rng.uniform();
    const std::size_t length = std::min(out.size() - first, static_cast<std::size_t>(0.02 * rate));
    for (std::size_t t = 0; t < length; ++t) {
      const double time = static_cast<double>(t) / rate;
      out[first + t] += level * std::exp(-300.0 * time) * std::sin(full_circle * hertz * time);
    }
  }
}

void add_wind(double rate, Rng& rng, std::span<double> out) {
  LowPass first(250.0, rate);
  LowPass second(250.0, rate);
  LowPass gusts(0.4, rate);
  for (double& x : out) {
    const double gust = gusts(rng.normal()) * std::sqrt(rate);
    x += second(first(rng.normal())) * (0.4 + std::abs(gust));
  }
}

}  // namespace

std::vector<float> synthesize(SoundKind kind, double seconds, double sample_rate, Rng rng) {
  Wave wave(static_cast<std::size_t>(std::llround(seconds * sample_rate)));
  if (wave.empty()) return {};
  using Maker = void (*)(double, Rng&, std::span<double>);
  constexpr std::array<Maker, 6> makers = {add_speech, add_noise, add_music, add_bird, add_rain, add_wind};
  makers[static_cast<std::size_t>(kind)](sample_rate, rng, wave);
  double squares = 0.0;
  for (const double x : wave) squares += x * x;
  const double level = squares > 0.0 ? usual_level / std::sqrt(squares / static_cast<double>(wave.size())) : 0.0;
  std::vector<float> sound(wave.size());
  for (std::size_t t = 0; t < wave.size(); ++t) sound[t] = static_cast<float>(level * wave[t]);
  return sound;
}

}  // namespace motet::audio
