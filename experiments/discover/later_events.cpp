#include "experiments/discover/later_events.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

namespace motet::discover {

Wave cuckoo_event(EventDraw draw) {
  const double hertz = log_uniform(draw.common, 400.0, 0.2 * draw.rate);
  const std::size_t count = 2 + draw.common.below(2);
  std::vector<double> notes(count);
  for (double& note : notes) note = hertz * std::pow(2.0, -draw.common.uniform(0.0, 9.0) / 12.0);
  const double length = draw.common.uniform(0.12, 0.5);
  const double pause = draw.common.uniform(0.03, 0.25);
  const std::size_t times = 1 + draw.common.below(3);
  const std::array<double, 1> levels = {1.0};
  const double shift = draw.about(1.0, 0.03);
  Wave wave;
  double at = 0.0;
  for (std::size_t n = 0; n < count * times; ++n) {
    const double lasts = draw.about(length, 0.1);
    const double pitch = shift * notes[n % count];
    put(wave, at, gliding(lasts, draw.rate, levels, 0.03, [&](double) { return pitch; }), 1.0, draw.rate);
    at += lasts + draw.about(pause, 0.1) * (n % count + 1 == count ? 2.0 : 1.0);
  }
  return wave;
}

Wave bounce_event(EventDraw draw) {
  const double hertz = log_uniform(draw.common, 300.0, 3000.0);
  const double q = draw.common.uniform(1.0, 8.0);
  const double decay = draw.common.uniform(0.015, 0.05);
  const double keeps = draw.common.uniform(0.72, 0.9);
  double apart = draw.about(draw.common.uniform(0.25, 0.6), 0.1);
  Wave wave;
  double at = 0.0;
  double gain = 1.0;
  while (apart > 0.03) {
    put(wave, at, decaying_noise(draw.about(hertz, 0.03), q, decay, draw.rate, draw.varied), gain, draw.rate);
    at += apart;
    apart *= keeps;
    gain *= std::sqrt(keeps);
  }
  return wave;
}

Wave siren_event(EventDraw draw) {
  const double hertz = log_uniform(draw.common, 350.0, 1400.0);
  const double swing = draw.common.uniform(1.1, 1.7);
  const double turns = draw.common.uniform(0.4, 2.5);  // per second
  const double length = draw.about(draw.common.uniform(1.2, 5.0), 0.2);
  const double begins = draw.varied.uniform();
  std::array<double, 6> levels{};
  for (double& level : levels) level = draw.common.uniform(0.05, 1.0);
  const double shift = draw.about(1.0, 0.02);
  return gliding(length, draw.rate, levels, 0.15, [&](double part) {
    return shift * hertz * std::pow(swing, std::sin(turn * (begins + turns * part * length)));
  });
}

Wave bark_event(EventDraw draw) {
  const double hertz = log_uniform(draw.common, 180.0, 700.0);
  const double place = log_uniform(draw.common, 500.0, 2500.0);
  const double rough = draw.common.uniform(0.2, 1.2);
  const double length = draw.common.uniform(0.1, 0.3);
  const double apart = length + draw.common.uniform(0.1, 0.6);
  const std::size_t count = 2 + draw.common.below(4);
  const std::array<double, 5> levels = {1.0, 0.8, 0.6, 0.4, 0.3};
  Wave wave;
  double at = 0.0;
  for (std::size_t n = 0; n < count; ++n) {
    const double lasts = draw.about(length, 0.15);
    const double shift = draw.about(1.0, 0.06);
    Wave voice = gliding(lasts, draw.rate, levels, 0.02,
                         [&](double part) { return shift * hertz * (1.0 + 0.3 * std::sin(0.5 * turn * part)); });
    TwoPole throat(place * shift, 2.5, draw.rate);
    for (std::size_t i = 0; i < voice.size(); ++i) {
      const double time = static_cast<double>(i) / draw.rate;
      throat.step(voice[i] + rough * flat_noise(draw.varied) * ends_at(time, lasts, 0.02));
      voice[i] = throat.band();
    }
    put(wave, at, voice, draw.varied.uniform(0.7, 1.0), draw.rate);
    at += draw.about(apart, 0.15);
  }
  return wave;
}

Wave scrape_event(EventDraw draw) {
  const double length = draw.about(log_uniform(draw.common, 0.5, 3.0), 0.25);
  const double from = log_uniform(draw.common, 0.0004, 0.003);  // s between a sound and what comes after it
  const double to = from * log_uniform(draw.common, 0.5, 2.0);
  const double strokes = draw.common.uniform(1.0, 6.0);  // per second
  TwoPole band(log_uniform(draw.common, 700.0, 0.25 * draw.rate), 0.6, draw.rate);
  Wave noise(samples_of(length, draw.rate));
  for (double& x : noise) {
    band.step(flat_noise(draw.varied));
    x = band.band();
  }
  Wave wave(noise.size());
  for (std::size_t i = 0; i < wave.size(); ++i) {
    const double part = static_cast<double>(i) / static_cast<double>(wave.size());
    const std::size_t back = samples_of(from * std::pow(to / from, part), draw.rate);
    const double again = i >= back ? noise[i - back] : 0.0;
    const double time = part * length;
    const double stroke = 0.4 + 0.6 * std::pow(std::sin(0.5 * turn * strokes * time), 2.0);
    wave[i] = stroke * ends_at(time, length, 0.05) * (noise[i] + 0.9 * again);
  }
  return wave;
}

Wave crackle_event(EventDraw draw) {
  const double length = draw.about(log_uniform(draw.common, 0.8, 5.0), 0.25);
  const double per_second = log_uniform(draw.common, 25.0, 120.0);
  const double hertz = log_uniform(draw.common, 1000.0, 0.35 * draw.rate);
  const double decay = draw.common.uniform(0.003, 0.008);
  Wave wave;
  for (double t = 0.0; t < length;) {
    const double dense = std::max(0.1, std::sin(0.5 * turn * t / length));
    const double loud = draw.varied.uniform(0.3, 1.0);
    const double where = hertz * std::exp(0.3 * draw.varied.normal());
    put(wave, t, decaying_noise(std::min(where, 0.4 * draw.rate), 1.0, decay, draw.rate, draw.varied), loud, draw.rate);
    t += -std::log(1.0 - draw.varied.uniform()) / (per_second * dense);
  }
  return wave;
}

Wave zap_event(EventDraw draw) {
  const double from = log_uniform(draw.common, 0.15 * draw.rate, 0.4 * draw.rate);
  const double falls = draw.common.uniform(2.0, 6.0);  // to one part of so many
  const double length = draw.common.uniform(0.06, 0.35);
  const double apart = length * draw.common.uniform(1.1, 3.0);
  const std::size_t count = 2 + draw.common.below(8);
  const std::array<double, 2> levels = {1.0, draw.common.uniform(0.0, 0.5)};
  Wave wave;
  double at = 0.0;
  for (std::size_t n = 0; n < count; ++n) {
    const double shift = draw.about(1.0, 0.05);
    put(wave, at,
        gliding(draw.about(length, 0.1), draw.rate, levels, 0.01,
                [&](double part) { return shift * from * std::pow(falls, -std::sqrt(part)); }),
        draw.varied.uniform(0.7, 1.0), draw.rate);
    at += draw.about(apart, 0.1);
  }
  return wave;
}

}  // namespace motet::discover
