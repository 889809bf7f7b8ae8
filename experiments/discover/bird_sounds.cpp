#include "experiments/discover/bird_sounds.h"

#include <algorithm>
#include <cmath>
#include <functional>

namespace motet::discover {
namespace {

constexpr double two_pi = 6.283185307179586;

double white(Rng& rng) { return (rng.uniform() - 0.5) * 3.4641016151377544; }  // variance 1

// First-order low-pass; what it leaves out is the high-pass.
class LowPass {
 public:
  explicit LowPass(double hz) : step_(1.0 - std::exp(-two_pi * hz / bird_rate)) {}
  double operator()(double x) { return state_ += step_ * (x - state_); }

 private:
  double step_;
  double state_ = 0.0;
};

// Swells and fades: the exponential of a noise of variance 1 that forgets itself after `seconds`, scaled by `depth`.
class Swell {
 public:
  Swell(double seconds, double depth, Rng rng)
      : keep_(std::exp(-step_seconds / seconds)), depth_(depth), rng_(rng), value_(rng_.normal()) {}

  double operator()() {
    if (at_++ % step == 0) {
      value_ = keep_ * value_ + std::sqrt(1.0 - keep_ * keep_) * rng_.normal();
      target_ = std::exp(depth_ * value_);
      if (at_ == 1) level_ = target_;
    }
    return level_ += (target_ - level_) / static_cast<double>(step);
  }

 private:
  static constexpr std::size_t step = 441;
  static constexpr double step_seconds = 0.01;

  double keep_;
  double depth_;
  Rng rng_;
  double value_;
  double target_ = 1.0;
  double level_ = 1.0;
  std::size_t at_ = 0;
};

// An incident from sample `begin` on: sample i of `seconds` is at(i / rate), added.
void add_incident(std::vector<float>& sound, double begin, double seconds, const std::function<double(double)>& at) {
  const auto first = static_cast<std::size_t>(begin * bird_rate);
  const auto count = static_cast<std::size_t>(seconds * bird_rate);
  for (std::size_t i = 0; i < count && first + i < sound.size(); ++i) {
    sound[first + i] += static_cast<float>(at(static_cast<double>(i) / bird_rate));
  }
}

// At random times, `rate` per second on average.
void scatter_incidents(std::vector<float>& sound, double rate, Rng& rng,
                       const std::function<void(double begin)>& incident) {
  const double seconds = static_cast<double>(sound.size()) / bird_rate;
  for (double t = -std::log(1.0 - rng.uniform()) / rate; t < seconds; t -= std::log(1.0 - rng.uniform()) / rate) {
    incident(t);
  }
}

void burst(std::vector<float>& sound, double begin, double seconds, double gain, double hz, Rng& rng) {
  LowPass low(hz);
  LowPass lower(hz / 4.0);
  add_incident(sound, begin, 5.0 * seconds, [&, seconds, gain](double t) {
    const double x = low(white(rng));
    return gain * (x - lower(x)) * std::exp(-t / seconds);
  });
}

void pass_by(std::vector<float>& sound, double begin, double gain, Rng& rng) {
  const double width = rng.uniform(1.0, 3.0);
  LowPass low(rng.uniform(500.0, 2500.0));
  add_incident(sound, begin, 6.0 * width, [&, width, gain](double t) {
    const double z = (t - 3.0 * width) / width;
    return gain * low(white(rng)) * std::exp(-0.5 * z * z);
  });
}

void tones(std::vector<float>& sound, double begin, double seconds, double gain, const std::vector<double>& hz,
           double decay) {
  add_incident(sound, begin, seconds, [&, gain, decay](double t) {
    double sum = 0.0;
    for (const double f : hz) sum += std::sin(two_pi * f * t);
    return gain * sum * std::exp(-t / decay);
  });
}

// A note that glides from one pitch to another, with soft ends; `buzz` above 0 beats that many times a second.
void note(std::vector<float>& sound, double begin, double seconds, double from_hz, double to_hz, double gain,
          double buzz = 0.0) {
  double phase = 0.0;
  add_incident(sound, begin, seconds, [&](double t) {
    const double part = t / seconds;
    phase += two_pi * (from_hz + (to_hz - from_hz) * part) / bird_rate;
    const double ends = std::sin(two_pi * 0.5 * std::min(1.0, part));
    const double beat = buzz > 0.0 ? 0.5 + 0.5 * std::sin(two_pi * buzz * t) : 1.0;
    return gain * std::sqrt(ends) * beat * std::sin(phase);
  });
}

std::vector<float> storm(std::size_t samples, Rng& rng) {
  std::vector<float> sound(samples);
  Swell gusts(4.0, 0.6, rng.child(1));
  Swell leaves(0.5, 1.0, rng.child(2));
  LowPass wind(250.0);
  LowPass rustle(8000.0);
  LowPass under(1500.0);
  for (float& sample : sound) {
    const double gust = gusts();
    const double x = rustle(white(rng));
    const double rainfall = 0.5 * std::sqrt(gust) * leaves() * (x - under(x));
    sample = static_cast<float>(1.5 * gust * wind(white(rng)) + rainfall);
  }
  scatter_incidents(sound, 0.1, rng, [&](double t) {
    burst(sound, t, rng.uniform(0.02, 0.15), rng.uniform(0.3, 1.5), rng.uniform(1500.0, 9000.0), rng);
  });
  // Branches that creak and drops on something hollow.
  scatter_incidents(sound, 0.15, rng, [&](double t) {
    const double from = rng.uniform(1500.0, 7000.0);
    note(sound, t, rng.uniform(0.1, 0.5), from, from * rng.uniform(0.8, 1.2), rng.uniform(0.05, 0.4),
         rng.uniform(0.0, 60.0));
  });
  scatter_incidents(sound, 0.5, rng, [&](double t) {
    tones(sound, t, 0.2, rng.uniform(0.05, 0.4), {rng.uniform(900.0, 5000.0)}, rng.uniform(0.01, 0.05));
  });
  return sound;
}

std::vector<float> traffic(std::size_t samples, Rng& rng) {
  std::vector<float> sound(samples);
  Swell swell(8.0, 0.3, rng.child(1));
  LowPass rumble(120.0);
  LowPass murmur(1200.0);
  for (float& sample : sound) {
    sample = static_cast<float>(swell() * (2.0 * rumble(white(rng)) + 0.4 * murmur(white(rng))) + 0.02 * white(rng));
  }
  scatter_incidents(sound, 0.12, rng, [&](double t) { pass_by(sound, t, rng.uniform(0.3, 1.2), rng); });
  scatter_incidents(sound, 0.01, rng, [&](double t) {
    const double f = rng.uniform(300.0, 600.0);
    tones(sound, t, rng.uniform(0.2, 0.9), 0.12, {f, 1.26 * f, 2.0 * f, 3.0 * f, 4.0 * f}, 5.0);
  });
  scatter_incidents(sound, 0.02, rng,
                    [&](double t) { burst(sound, t, rng.uniform(0.02, 0.1), rng.uniform(0.3, 1.0), 4000.0, rng); });
  return sound;
}

std::vector<float> rain(std::size_t samples, Rng& rng) {
  std::vector<float> sound(samples);
  Swell swell(10.0, 0.3, rng.child(1));
  LowPass under(500.0);
  LowPass rumble(80.0);
  for (float& sample : sound) {
    const double x = white(rng);
    sample = static_cast<float>(0.06 * swell() * (x - under(x)) + 2.0 * rumble(white(rng)));
  }
  scatter_incidents(sound, 4.0, rng, [&](double t) {
    burst(sound, t, 0.004, rng.uniform(0.05, 0.2), rng.uniform(3000.0, 9000.0), rng);
  });
  scatter_incidents(sound, 0.01, rng, [&](double t) { burst(sound, t, rng.uniform(1.0, 3.0), 6.0, 160.0, rng); });
  scatter_incidents(sound, 0.04, rng, [&](double t) {
    const double f = rng.uniform(900.0, 2400.0);
    tones(sound, t, 3.0, 0.12, {f, 2.76 * f, 5.4 * f}, 0.8);
  });
  scatter_incidents(sound, 0.04, rng, [&](double t) { pass_by(sound, t, rng.uniform(0.2, 0.8), rng); });
  return sound;
}

}  // namespace

double published_seconds(Background background) {
  constexpr double seconds[] = {651.0, 1419.0, 713.0};
  return seconds[static_cast<std::size_t>(background)];
}

std::vector<float> background_sound(Background background, double seconds, Rng rng) {
  const auto samples = static_cast<std::size_t>(seconds * bird_rate);
  switch (background) {
    case Background::storm: return storm(samples, rng);
    case Background::traffic: return traffic(samples, rng);
    case Background::rain: return rain(samples, rng);
  }
  return {};
}

std::vector<float> bird_song(std::size_t song) {
  std::vector<float> sound(static_cast<std::size_t>(song_seconds * bird_rate), 0.0F);
  switch (song) {
    case 0:  // greenfinch: a trill, then one long wheeze
      for (int i = 0; i < 9; ++i) note(sound, 0.1 + 0.09 * i, 0.05, 4200.0, 3600.0, 0.8);
      note(sound, 1.6, 1.2, 4600.0, 3400.0, 1.0, 110.0);
      break;
    case 1:  // blue tit: high calls, then a lower trill
      for (int i = 0; i < 3; ++i) note(sound, 0.1 + 0.3 * i, 0.2, 7600.0, 7000.0, 1.0);
      for (int i = 0; i < 14; ++i) note(sound, 1.2 + 0.07 * i, 0.045, 5200.0, 4600.0, 0.9);
      for (int i = 0; i < 2; ++i) note(sound, 2.6 + 0.3 * i, 0.2, 7600.0, 7000.0, 1.0);
      break;
    case 2:  // chiffchaff: two pitches in turn
      for (int i = 0; i < 11; ++i) note(sound, 0.1 + 0.3 * i, 0.12, i % 2 == 0 ? 5600.0 : 4600.0, 3500.0, 1.0);
      break;
    case 3:  // yellowhammer: quick notes that grow louder, then a long high one
      for (int i = 0; i < 12; ++i) note(sound, 0.1 + 0.13 * i, 0.07, 5600.0, 4700.0, 0.3 + 0.06 * i);
      note(sound, 2.0, 0.9, 6400.0, 6200.0, 0.8);
      break;
    default:  // chaffinch: falling notes that come faster, then a flourish
      for (int i = 0; i < 16; ++i) {
        const double t = 0.1 + 0.19 * i - 0.004 * i * i;
        note(sound, t, 0.09, 6000.0 - 200.0 * i, 4800.0 - 180.0 * i, 0.9);
      }
      note(sound, 2.6, 0.35, 2600.0, 5200.0, 1.0, 40.0);
  }
  return sound;
}

}  // namespace motet::discover
