#include "experiments/discover/later_backgrounds.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace motet::discover {

void make_frogs(double rate, Rng& rng, Wave& sound) {
  TwoPole night(500.0, 0.7, rate);
  for (double& x : sound) {
    night.step(flat_noise(rng));
    x = 0.8 * night.low();
  }
  const std::size_t frogs = 3 + rng.below(5);
  const double choir = rng.uniform(4.0, 20.0);  // s in which all sing, or rest
  for (std::size_t f = 0; f < frogs; ++f) {
    const double hertz = log_uniform(rng, 400.0, 2800.0);
    const double croak = rng.uniform(0.08, 0.35);   // s
    const double pulses = rng.uniform(20.0, 90.0);  // per second
    const double apart = croak + rng.uniform(0.1, 1.0);
    const double gain = log_uniform(rng, 0.2, 0.8);
    SlowLevel mood(choir, 1.2, rate, rng.child(10 + f));
    TwoPole throat(hertz, rng.uniform(4.0, 12.0), rate);
    double next = rng.uniform(0.0, apart);
    double begin = -1.0;
    for (std::size_t i = 0; i < sound.size(); ++i) {
      const double time = static_cast<double>(i) / rate;
      const double level = mood();
      if (time >= next) {
        begin = level > 0.4 ? time : -1.0;
        next = time + apart * rng.uniform(0.85, 1.15);
      }
      const bool sings = begin >= 0.0 && time < begin + croak;
      const double pulse = sings ? 0.5 - 0.5 * std::cos(turn * pulses * (time - begin)) : 0.0;
      throat.step(pulse * flat_noise(rng));
      sound[i] += gain * 2.0 * throat.band();
    }
  }
}

void make_train(double rate, Rng& rng, Wave& sound) {
  SlowLevel speed(25.0, 0.25, rate, rng.child(1));
  SlowLevel sway(0.8, 0.15, rate, rng.child(2));
  TwoPole roll(rng.uniform(150.0, 500.0), 0.7, rate);
  TwoPole squeal(log_uniform(rng, 1500.0, 4000.0), 25.0, rate);
  const double squealing = rng.uniform(0.0, 0.25);
  const double per_second = rng.uniform(0.4, 1.2);
  const double second_axle = rng.uniform(0.08, 0.2);
  const double hertz = rng.uniform(200.0, 700.0);
  const double joints = rng.uniform(0.2, 1.0);
  double part = 0.0;
  std::vector<std::size_t> strokes;
  for (std::size_t i = 0; i < sound.size(); ++i) {
    const double fast = speed();
    const double noise = flat_noise(rng);
    roll.step(noise);
    squeal.step(noise);
    sound[i] = fast * sway() * (1.5 * roll.low() + squealing * fast * squeal.band() + 0.05 * noise);
    part += per_second * fast / rate;
    if (part < 1.0) continue;
    part -= 1.0;
    strokes.push_back(i);
  }
  for (const std::size_t first : strokes) {
    for (int axle = 0; axle < 2; ++axle) {
      const std::size_t at = first + static_cast<std::size_t>(axle) * samples_of(second_axle, rate);
      if (at >= sound.size()) break;
      add_at(sound, at, decaying_noise(hertz, 1.0, 0.03, rate, rng), joints * rng.uniform(0.7, 1.0));
    }
  }
}

void make_reeds(double rate, Rng& rng, Wave& sound) {
  SlowLevel gusts(rng.uniform(1.5, 5.0), rng.uniform(0.4, 0.8), rate, rng.child(1));
  TwoPole air(rng.uniform(150.0, 400.0), 0.7, rate);
  const double stalks = log_uniform(rng, 8.0, 50.0);  // that rub, per second
  const double centre = log_uniform(rng, 1200.0, 4500.0);
  for (double& x : sound) {
    air.step(flat_noise(rng));
    x = gusts() * (air.low() + 0.03 * flat_noise(rng));
  }
  SlowLevel shaken(rng.uniform(1.5, 5.0), 0.8, rate, rng.child(2));
  std::vector<double> level(sound.size());
  for (double& x : level) x = shaken();
  at_random(sound.size(), stalks, rate, rng, [&](std::size_t first) {
    if (first >= level.size()) return;
    const double hertz = std::min(centre * std::exp(0.4 * rng.normal()), 0.4 * rate);
    add_at(sound, first, decaying_noise(hertz, rng.uniform(1.0, 5.0), rng.uniform(0.01, 0.06), rate, rng),
           0.4 * level[first] * rng.uniform());
  });
}

void make_boiler(double rate, Rng& rng, Wave& sound) {
  TwoPole flame(rng.uniform(80.0, 250.0), 0.7, rate);
  const double on = rng.uniform(20.0, 60.0);  // s
  const double off = rng.uniform(10.0, 40.0);
  const double hum = rng.uniform(90.0, 130.0);
  double burns = 1.0;
  double until = rng.uniform(5.0, on);
  double wish = 1.0;
  for (std::size_t i = 0; i < sound.size(); ++i) {
    const double time = static_cast<double>(i) / rate;
    if (time >= until) {
      wish = 1.0 - wish;
      until = time + (wish > 0.5 ? on : off) * rng.uniform(0.7, 1.3);
    }
    burns += (wish - burns) / (1.5 * rate);
    const double noise = flat_noise(rng);
    flame.step(noise);
    sound[i] = 0.06 * noise + (0.2 + burns) * 1.2 * flame.low() +
               burns * 0.15 * (std::sin(turn * hum * time) + 0.5 * std::sin(2.0 * turn * hum * time));
  }
  const double size = log_uniform(rng, 250.0, 900.0);
  at_random(sound.size(), log_uniform(rng, 3.0, 25.0), rate, rng, [&](std::size_t first) {
    const double hertz = size * std::exp(0.4 * rng.normal());
    add_at(sound, first, decaying_tone(hertz, 0.02 * rng.uniform(0.5, 2.0), rng.uniform(1.1, 1.6), rate),
           0.6 * rng.uniform());
  });
}

void make_radio(double rate, Rng& rng, Wave& sound) {
  SlowLevel fading(rng.uniform(3.0, 12.0), 0.5, rate, rng.child(1));
  SlowLevel drift(rng.uniform(8.0, 30.0), 0.2, rate, rng.child(2));
  TwoPole receiver(rng.uniform(900.0, 2000.0), 0.5, rate);
  const double hertz = log_uniform(rng, 500.0, 2500.0);
  const double whistle = rng.uniform(0.0, 0.5);
  const double mains = rng.uniform(0.05, 0.4);
  double phase = 0.0;
  for (std::size_t i = 0; i < sound.size(); ++i) {
    const double time = static_cast<double>(i) / rate;
    receiver.step(flat_noise(rng));
    phase += std::min(hertz * drift(), 0.45 * rate) / rate;
    double buzz = 0.0;
    for (int h = 1; h <= 9; h += 2) buzz += std::sin(turn * 50.0 * h * time) / static_cast<double>(h);
    sound[i] = fading() * receiver.band() + whistle * std::sin(turn * phase) / fading() + mains * buzz;
  }
  at_random(sound.size(), log_uniform(rng, 0.5, 8.0), rate, rng, [&](std::size_t first) {
    add_at(sound, first, decaying_noise(log_uniform(rng, 800.0, 5000.0), 0.6, rng.uniform(0.001, 0.01), rate, rng),
           3.0 * std::pow(rng.uniform(), 2.0));
  });
}

}  // namespace motet::discover
