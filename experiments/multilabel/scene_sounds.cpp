#include "experiments/multilabel/scene_sounds.h"

#include <algorithm>
#include <cmath>
#include <span>

namespace motet::multilabel {
namespace {

constexpr double two_pi = 6.283185307179586;

using Sound = std::vector<float>;

double white_noise(Rng& rng) { return (rng.uniform() - 0.5) * 3.4641016151377544; }  // variance 1

// Two poles at a frequency, with a gain of about 1 there.
class Resonator {
 public:
  Resonator(double hz, double bandwidth) {
    const double r = std::exp(-0.5 * two_pi * bandwidth / scene_rate);
    a_ = 2.0 * r * std::cos(two_pi * hz / scene_rate);
    b_ = -r * r;
    gain_ = 1.0 - r;
  }
  double operator()(double x) {
    const double y = gain_ * x + a_ * last_ + b_ * before_;
    before_ = last_;
    return last_ = y;
  }

 private:
  double a_, b_, gain_;
  double last_ = 0.0;
  double before_ = 0.0;
};

class OnePole {
 public:
  explicit OnePole(double hz) : step_(1.0 - std::exp(-two_pi * hz / scene_rate)) {}
  double operator()(double x) { return state_ += step_ * (x - state_); }

 private:
  double step_;
  double state_ = 0.0;
};

double power_of(std::span<const float> sound) {
  double sum = 0.0;
  for (const float x : sound) sum += static_cast<double>(x) * static_cast<double>(x);
  return sum / static_cast<double>(std::max<std::size_t>(1, sound.size()));
}

void set_power(Sound& sound, double power) {
  const double now = power_of(sound);
  const auto factor = static_cast<float>(now > 0.0 ? std::sqrt(power / now) : 0.0);
  for (float& x : sound) x *= factor;
}

struct Voice {
  double pitch;  // Hz
  double tract;  // formants are multiplied by it
  double pace;   // of syllables
};

// A vowel is pulses through three resonances, some syllables begin with hiss.
void add_syllable(Sound& sound, std::size_t begin, std::size_t count, const Voice& voice, Rng& rng) {
  const double first = voice.tract * rng.uniform(300.0, 800.0);
  const double second = voice.tract * rng.uniform(900.0, 2300.0);
  const double third = voice.tract * rng.uniform(2400.0, 3200.0);
  Resonator one(first, 80.0);
  Resonator two(second, 120.0);
  Resonator three(third, 160.0);
  const std::size_t hiss = rng.uniform() < 0.5 ? count / 3 : 0;
  OnePole dull(2500.0);
  const double glide = rng.uniform(0.85, 1.15);
  double phase = 0.0;
  for (std::size_t i = 0; i < count && begin + i < sound.size(); ++i) {
    const double part = static_cast<double>(i) / static_cast<double>(count);
    const double swell = std::sin(two_pi * 0.5 * part);
    double x = 0.0;
    if (i < hiss) {
      const double noise = white_noise(rng);
      x = 0.15 * (noise - dull(noise));
    } else {
      phase += voice.pitch * (1.0 + (glide - 1.0) * part) / scene_rate;
      const double pulse = phase >= 1.0 ? 12.0 : 0.0;
      if (phase >= 1.0) phase -= 1.0;
      x = one(pulse) + 0.6 * two(pulse) + 0.3 * three(pulse);
    }
    sound[begin + i] += static_cast<float>(swell * x);
  }
}

Sound speech(std::size_t samples, Rng rng) {
  Sound sound(samples, 0.0F);
  const Voice voice{rng.uniform(85.0, 240.0), rng.uniform(0.85, 1.2), rng.uniform(0.8, 1.3)};
  double t = rng.uniform(0.0, 0.2);
  while (t * scene_rate < static_cast<double>(samples)) {
    const double length = rng.uniform(0.09, 0.26) / voice.pace;
    add_syllable(sound, static_cast<std::size_t>(t * scene_rate), static_cast<std::size_t>(length * scene_rate), voice,
                 rng);
    t += length + (rng.uniform() < 0.25 ? rng.uniform(0.1, 0.4) : rng.uniform(0.0, 0.05));
  }
  return sound;
}

Sound coloured_noise(std::size_t samples, Rng& rng) {
  Sound sound(samples);
  OnePole low(rng.uniform(200.0, 5000.0));
  const double bright = rng.uniform(0.0, 0.2);
  for (float& x : sound) {
    const double noise = white_noise(rng);
    x = static_cast<float>(low(noise) + bright * noise);
  }
  return sound;
}

Sound passing_vehicle(std::size_t samples, Rng& rng) {
  Sound sound = coloured_noise(samples, rng);
  const double centre = rng.uniform(0.0, 1.0);
  const double width = rng.uniform(0.15, 0.5);
  for (std::size_t i = 0; i < samples; ++i) {
    const double z = (static_cast<double>(i) / static_cast<double>(samples) - centre) / width;
    sound[i] *= static_cast<float>(0.2 + std::exp(-0.5 * z * z));
  }
  return sound;
}

Sound machine(std::size_t samples, Rng& rng) {
  Sound sound = coloured_noise(samples, rng);
  set_power(sound, 1.0);
  const double hum = rng.uniform(45.0, 180.0);
  const double beat = rng.uniform(1.0, 12.0);
  for (std::size_t i = 0; i < samples; ++i) {
    const double t = static_cast<double>(i) / scene_rate;
    double tone = 0.0;
    for (int h = 1; h <= 8; ++h) tone += std::sin(two_pi * hum * h * t) / h;
    sound[i] = static_cast<float>((1.0 + 0.5 * std::sin(two_pi * beat * t)) * sound[i] + tone);
  }
  return sound;
}

Sound babble(std::size_t samples, Rng& rng) {
  Sound sound(samples, 0.0F);
  for (std::uint64_t who = 0; who < 6; ++who) {
    const Sound one = speech(samples, rng.child(100 + who));
    for (std::size_t i = 0; i < samples; ++i) sound[i] += one[i];
  }
  return sound;
}

Sound noise(std::size_t samples, Rng rng) {
  switch (rng.below(4)) {
    case 0: return coloured_noise(samples, rng);
    case 1: return passing_vehicle(samples, rng);
    case 2: return machine(samples, rng);
    default: return babble(samples, rng);
  }
}

void add_tone(Sound& sound, std::size_t begin, double hz, double decay, double gain, int harmonics) {
  const auto count = static_cast<std::size_t>(4.0 * decay * scene_rate);
  for (std::size_t i = 0; i < count && begin + i < sound.size(); ++i) {
    const double t = static_cast<double>(i) / scene_rate;
    double tone = 0.0;
    for (int h = 1; h <= harmonics && hz * h < 0.45 * scene_rate; ++h) tone += std::sin(two_pi * hz * h * t) / h;
    sound[begin + i] += static_cast<float>(gain * tone * std::exp(-t / decay) * std::min(1.0, t / 0.005));
  }
}

Sound music(std::size_t samples, Rng rng) {
  Sound sound(samples, 0.0F);
  constexpr double scale[] = {0.0, 2.0, 4.0, 5.0, 7.0, 9.0, 11.0};
  const double key = 110.0 * std::exp2(rng.uniform(0.0, 1.0));
  const double beat = rng.uniform(0.15, 0.6);
  const double decay = rng.uniform(0.1, 0.8);
  const bool has_drums = rng.uniform() < 0.5;
  const int harmonics = 2 + static_cast<int>(rng.below(8));
  for (double t = 0.0; t * scene_rate < static_cast<double>(samples); t += beat) {
    const auto begin = static_cast<std::size_t>(t * scene_rate);
    const std::size_t notes = 1 + rng.below(3);
    for (std::size_t i = 0; i < notes; ++i) {
      const double octave = 12.0 * static_cast<double>(rng.below(3));
      const double hz = key * std::exp2((scale[rng.below(7)] + octave) / 12.0);
      add_tone(sound, begin, hz, decay, rng.uniform(0.4, 1.0), harmonics);
    }
    if (!has_drums) continue;
    for (std::size_t i = 0; i < 1600 && begin + i < samples; ++i) {
      sound[begin + i] += static_cast<float>(white_noise(rng) * std::exp(-static_cast<double>(i) / 300.0));
    }
  }
  return sound;
}

// A room after Schroeder: feedback delays that take `t60` seconds to fade by 60 dB, `direct` dB below what comes
// directly.
void add_room(Sound& sound, double t60, double direct, Rng rng) {
  const double before = power_of(sound);
  Sound tail(sound.size(), 0.0F);
  for (int comb = 0; comb < 6; ++comb) {
    const auto delay = static_cast<std::size_t>(rng.uniform(0.02, 0.06) * scene_rate);
    const double keep = std::pow(10.0, -3.0 * static_cast<double>(delay) / scene_rate / t60);
    std::vector<double> line(sound.size(), 0.0);
    for (std::size_t i = 0; i < sound.size(); ++i) {
      line[i] = static_cast<double>(sound[i]) + (i >= delay ? keep * line[i - delay] : 0.0);
      if (i >= delay) tail[i] += static_cast<float>(line[i - delay]);
    }
  }
  set_power(tail, before * std::pow(10.0, -direct / 10.0));
  for (std::size_t i = 0; i < sound.size(); ++i) sound[i] += tail[i];
}

}  // namespace

std::vector<float> scene_sound(Scene scene, double seconds, Rng rng) {
  const auto samples = static_cast<std::size_t>(seconds * scene_rate);
  Sound sound;
  switch (scene) {
    case Scene::speech: sound = speech(samples, rng.child(1)); break;
    case Scene::noise: sound = noise(samples, rng.child(2)); break;
    case Scene::music: sound = music(samples, rng.child(3)); break;
    case Scene::speech_in_noise: {
      sound = speech(samples, rng.child(1));
      Sound other = noise(samples, rng.child(2));
      set_power(sound, std::pow(10.0, rng.child(4).uniform(-5.0, 10.0) / 10.0));
      set_power(other, 1.0);
      for (std::size_t i = 0; i < samples; ++i) sound[i] += other[i];
    }
  }
  // Everyday recordings are not clean: they are made in rooms, 15 to 30 dB below there is a noise of some kind, and
  // always that of a microphone.
  Rng room = rng.child(8);
  const double t60 = room.uniform(0.3, 1.5);
  add_room(sound, t60, room.uniform(0.0, 10.0), room.child(1));
  set_power(sound, 1.0);
  Sound around = noise(samples, rng.child(6));
  set_power(around, std::pow(10.0, -rng.child(7).uniform(15.0, 30.0) / 10.0));
  Rng hiss = rng.child(5);
  for (std::size_t i = 0; i < samples; ++i) sound[i] += around[i] + static_cast<float>(1e-3 * white_noise(hiss));
  set_power(sound, 1.0);
  return sound;
}

}  // namespace motet::multilabel
