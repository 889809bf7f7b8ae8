#include "experiments/discover/recording_backgrounds.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "experiments/discover/later_backgrounds.h"
#include "motet/audio/scene/synthesis.h"

namespace motet::discover {
namespace {

constexpr double background_level = 0.05;

void make_rain(double rate, Rng& rng, Wave& sound) {
  SlowLevel swell(rng.uniform(5.0, 20.0), rng.uniform(0.1, 0.4), rate, rng.child(1));
  TwoPole hiss(log_uniform(rng, 300.0, 1500.0), 0.7, rate);
  for (double& x : sound) {
    hiss.step(flat_noise(rng));
    x = 0.3 * swell() * hiss.high();
  }
  const double size = rng.uniform(0.3, 1.5);
  const double centre = log_uniform(rng, 800.0, 4000.0);
  at_random(sound.size(), log_uniform(rng, 8.0, 60.0), rate, rng, [&](std::size_t first) {
    const double hertz = centre * rng.uniform(0.5, 2.0);
    add_at(sound, first, decaying_noise(hertz, 2.0, rng.uniform(0.002, 0.008), rate, rng), size * rng.uniform());
  });
}

void make_hum(double rate, Rng& rng, Wave& sound) {
  const double base = rng.uniform(40.0, 130.0);
  SlowLevel speed(8.0, 0.01, rate, rng.child(1));
  SlowLevel load(3.0, 0.25, rate, rng.child(2));
  const double turns = log_uniform(rng, 0.2, 4.0);  // per second, of what beats
  const double depth = rng.uniform(0.1, 0.6);
  std::array<double, 14> levels{};
  for (std::size_t h = 0; h < levels.size(); ++h) levels[h] = rng.uniform() / (1.0 + 0.4 * static_cast<double>(h));
  TwoPole fan(log_uniform(rng, 300.0, 2500.0), 0.8, rate);
  double phase = 0.0;
  for (std::size_t i = 0; i < sound.size(); ++i) {
    phase += base * speed() / rate;
    // Harmonics by the recurrence of Chebyshev: sin(h a) = 2 cos(a) sin((h - 1) a) - sin((h - 2) a).
    double before = 0.0;
    double now = std::sin(turn * phase);
    const double twice_cosine = 2.0 * std::cos(turn * phase);
    double sum = 0.0;
    for (const double level : levels) {
      sum += level * now;
      const double next = twice_cosine * now - before;
      before = now;
      now = next;
    }
    fan.step(flat_noise(rng));
    const double beat = 1.0 + depth * std::sin(turn * turns * static_cast<double>(i) / rate);
    sound[i] = load() * (0.3 * sum * beat + 0.5 * fan.band() + 0.05 * flat_noise(rng));
  }
}

void make_surf(double rate, Rng& rng, Wave& sound) {
  TwoPole water(500.0, 0.7, rate);
  SlowLevel foam(0.3, 0.2, rate, rng.child(1));
  double period = rng.uniform(6.0, 14.0);
  double part = 0.0;
  double strength = 1.0;
  for (std::size_t i = 0; i < sound.size(); ++i) {
    part += 1.0 / (period * rate);
    if (part >= 1.0) {
      part -= 1.0;
      period = std::clamp(period * rng.uniform(0.7, 1.4), 5.0, 18.0);
      strength = rng.uniform(0.5, 1.5);
    }
    const double wave = std::pow(std::sin(0.5 * turn * std::pow(part, 0.6)), 2.0) * strength;
    if (i % 64 == 0) water.tune(250.0 + 3500.0 * wave, 0.7);
    water.step(flat_noise(rng));
    sound[i] = (0.15 + wave) * foam() * water.low();
  }
}

void make_babble(double rate, Rng& rng, Wave& sound) {
  constexpr std::array<double, 5> loops = {61.0, 67.0, 73.0, 83.0, 91.0};  // s: what comes again is not together again
  for (std::size_t v = 0; v < loops.size(); ++v) {
    const std::vector<float> voice = audio::synthesize(audio::SoundKind::speech, loops[v], rate, rng.child(10 + v));
    for (int talker = 0; talker < 2; ++talker) {
      std::size_t at = rng.below(voice.size());
      const double gain = rng.uniform(0.5, 1.0);
      SlowLevel turned(10.0, 0.4, rate, rng.child(20 + 2 * v + static_cast<std::size_t>(talker)));
      for (double& x : sound) {
        x += gain * turned() * static_cast<double>(voice[at]);
        if (++at == voice.size()) at = 0;
      }
    }
  }
  TwoPole room(400.0, 0.7, rate);
  for (double& x : sound) {
    room.step(flat_noise(rng));
    x += 0.1 * room.low();
  }
}

void make_drift(double rate, Rng& rng, Wave& sound) {
  struct Wandering {
    TwoPole band;
    SlowLevel place;
    SlowLevel level;
    double hertz;
    double q;
  };
  std::vector<Wandering> all;
  for (std::uint64_t b = 0; b < 3; ++b) {
    const double hertz = log_uniform(rng, 200.0, 4000.0);
    all.push_back({TwoPole(hertz, 2.0, rate), SlowLevel(rng.uniform(20.0, 60.0), 0.5, rate, rng.child(2 * b + 1)),
                   SlowLevel(rng.uniform(20.0, 60.0), 0.5, rate, rng.child(2 * b + 2)), hertz, rng.uniform(1.0, 4.0)});
  }
  for (std::size_t i = 0; i < sound.size(); ++i) {
    const double noise = flat_noise(rng);
    sound[i] = 0.15 * noise;
    for (Wandering& one : all) {
      const double place = one.place();
      if (i % 64 == 0) one.band.tune(one.hertz * place, one.q);
      one.band.step(noise);
      sound[i] += one.level() * one.band.band();
    }
  }
}

void make_wind(double rate, Rng& rng, Wave& sound) {
  SlowLevel gusts(rng.uniform(2.0, 6.0), rng.uniform(0.4, 0.8), rate, rng.child(1));
  SlowLevel leaves(0.4, 0.6, rate, rng.child(2));
  TwoPole low(rng.uniform(120.0, 300.0), 0.7, rate);
  TwoPole whistle(800.0, 12.0, rate);
  TwoPole rustle(3000.0, 0.7, rate);
  const double pitch = log_uniform(rng, 400.0, 1200.0);
  const double whistling = rng.uniform(0.0, 0.6);
  const double rustling = rng.uniform(0.0, 0.4);
  for (std::size_t i = 0; i < sound.size(); ++i) {
    const double gust = gusts();
    const double noise = flat_noise(rng);
    if (i % 64 == 0) whistle.tune(pitch * std::sqrt(gust), 12.0);
    low.step(noise);
    whistle.step(noise);
    rustle.step(noise);
    sound[i] =
        gust * (1.5 * low.low() + whistling * gust * whistle.band()) + rustling * leaves() * gust * rustle.high();
  }
}

void add_passing(Wave& sound, std::size_t middle, double width, double gain, double hertz, double rate, Rng& rng) {
  TwoPole low(hertz, 0.7, rate);
  const std::size_t reach = samples_of(3.0 * width, rate);
  const std::size_t first = middle > reach ? middle - reach : 0;
  for (std::size_t i = first; i < std::min(sound.size(), middle + reach); ++i) {
    const double z = (static_cast<double>(i) - static_cast<double>(middle)) / (width * rate);
    low.step(flat_noise(rng));
    sound[i] += gain * std::exp(-0.5 * z * z) * low.low();
  }
}

void make_traffic(double rate, Rng& rng, Wave& sound) {
  SlowLevel swell(8.0, 0.3, rate, rng.child(1));
  TwoPole rumble(rng.uniform(60.0, 150.0), 0.7, rate);
  TwoPole murmur(rng.uniform(700.0, 1500.0), 0.7, rate);
  for (double& x : sound) {
    const double noise = flat_noise(rng);
    rumble.step(noise);
    murmur.step(noise);
    x = swell() * (2.0 * rumble.low() + 0.3 * murmur.low()) + 0.02 * noise;
  }
  at_random(sound.size(), log_uniform(rng, 0.03, 0.3), rate, rng, [&](std::size_t first) {
    add_passing(sound, first, rng.uniform(0.8, 3.0), rng.uniform(0.2, 1.0), rng.uniform(400.0, 2500.0), rate, rng);
  });
}

void make_insects(double rate, Rng& rng, Wave& sound) {
  TwoPole night(300.0, 0.7, rate);
  for (double& x : sound) {
    const double noise = flat_noise(rng);
    night.step(noise);
    x = 0.4 * night.low() + 0.03 * noise;
  }
  const std::size_t choirs = 3 + rng.below(4);
  for (std::size_t c = 0; c < choirs; ++c) {
    const double hertz = std::min(log_uniform(rng, 2500.0, 7500.0), 0.42 * rate);
    const double pulses = rng.uniform(18.0, 70.0);  // per second
    const double chirps = rng.uniform(0.3, 3.0);
    const double duty = rng.uniform(0.4, 1.1);  // above 1: without pauses
    TwoPole tone(hertz, rng.uniform(15.0, 60.0), rate);
    SlowLevel choir(rng.uniform(3.0, 15.0), 0.5, rate, rng.child(100 + c));
    SlowLevel unrest(1.0, 0.05, rate, rng.child(200 + c));
    double pulse = rng.uniform();
    double chirp = rng.uniform();
    const double gain = rng.uniform(0.5, 2.0);
    for (double& x : sound) {
      const double speed = unrest() / rate;
      pulse += pulses * speed;
      chirp += chirps * speed;
      tone.step(flat_noise(rng));
      const bool sings = chirp - std::floor(chirp) < duty;
      x += gain * choir() * (sings ? 0.5 - 0.5 * std::cos(turn * pulse) : 0.0) * tone.band();
    }
  }
}

void make_creek(double rate, Rng& rng, Wave& sound) {
  SlowLevel flow(1.0, 0.2, rate, rng.child(1));
  TwoPole water(rng.uniform(400.0, 1500.0), 0.6, rate);
  for (double& x : sound) {
    water.step(flat_noise(rng));
    x = 0.15 * flow() * water.band();
  }
  const double size = log_uniform(rng, 500.0, 1500.0);
  at_random(sound.size(), log_uniform(rng, 10.0, 90.0), rate, rng, [&](std::size_t first) {
    const double hertz = size * std::exp(0.5 * rng.normal());
    const double decay = std::min(0.03, 12.0 / hertz) * rng.uniform(0.5, 1.5);
    add_at(sound, first, decaying_tone(hertz, decay, rng.uniform(1.0, 1.3), rate), 0.5 * rng.uniform());
  });
}

void make_workshop(double rate, Rng& rng, Wave& sound) {
  make_hum(rate, rng, sound);
  const double stroke = rng.uniform(0.5, 2.0);  // s
  std::array<double, 4> partials{};
  for (double& hertz : partials) hertz = log_uniform(rng, 300.0, 5000.0);
  const double gain = rng.uniform(0.3, 1.2);
  const double resting = rng.uniform(0.0, 0.4);
  bool rests = false;
  for (double t = 0.0; t < static_cast<double>(sound.size()) / rate; t += stroke * rng.uniform(0.97, 1.03)) {
    if (rng.uniform() < 0.05) rests = rng.uniform() < resting;
    if (rests) continue;
    const std::size_t first = samples_of(t, rate);
    for (const double hertz : partials) {
      add_at(sound, first, decaying_tone(hertz, 0.04, 1.0, rate), 0.4 * gain * rng.uniform(0.7, 1.0));
    }
    add_at(sound, first, decaying_noise(2000.0, 1.0, 0.05, rate, rng), gain);
    add_at(sound, first + samples_of(0.3 * stroke, rate), decaying_noise(900.0, 0.8, 0.15, rate, rng), 0.7 * gain);
  }
}

// One incident of a kind whose parameters come from `kind`, the same each time, about as loud as the background.
void add_incident_of(std::uint64_t what, Rng kind, Wave& sound, std::size_t first, double rate, Rng& rng) {
  const double gain = background_level * rng.uniform(0.5, 3.0);
  switch (what) {
    case 0: {  // cracks
      const double hertz = log_uniform(kind, 800.0, 5000.0);
      add_at(sound, first, decaying_noise(hertz, 0.8, kind.uniform(0.01, 0.08), rate, rng), 3.0 * gain);
      break;
    }
    case 1: {  // something passes
      const double width = kind.uniform(0.7, 2.5);
      add_passing(sound, first, width * rng.uniform(0.8, 1.2), 2.0 * gain, log_uniform(kind, 200.0, 2000.0), rate, rng);
      break;
    }
    case 2:  // ticks
      add_at(sound, first, decaying_tone(log_uniform(kind, 1500.0, 6000.0), 0.006, 1.0, rate), 4.0 * gain);
      break;
    case 3:  // short tones
      add_at(sound, first, decaying_tone(log_uniform(kind, 300.0, 2500.0), kind.uniform(0.05, 0.4), 1.0, rate), gain);
      break;
    default:  // bumps
      add_at(sound, first, decaying_tone(kind.uniform(50.0, 140.0), 0.1, 0.7, rate), 4.0 * gain);
  }
}

}  // namespace

void to_usual_level(Wave& sound) {
  const double power = mean_square(sound);
  if (power <= 0.0) return;
  const double gain = background_level / std::sqrt(power);
  for (double& x : sound) x *= gain;
}

Wave made_background(MadeBackground background, double seconds, double rate, Rng rng) {
  using Maker = void (*)(double, Rng&, Wave&);
  constexpr std::array<Maker, 15> makers = {make_rain,  make_hum,     make_surf,    make_babble, make_drift,
                                            make_wind,  make_traffic, make_insects, make_creek,  make_workshop,
                                            make_frogs, make_train,   make_reeds,   make_boiler, make_radio};
  Wave sound(samples_of(seconds, rate));
  makers[static_cast<std::size_t>(background)](rate, rng, sound);
  to_usual_level(sound);
  return sound;
}

void add_incidents(Wave& sound, double rate, Rng rng) {
  if (rng.uniform() >= 0.7) return;
  const std::size_t kinds = 1 + rng.below(3);
  for (std::size_t k = 0; k < kinds; ++k) {
    const std::uint64_t what = rng.below(5);
    const Rng kind = rng.child(k);
    at_random(sound.size(), log_uniform(rng, 0.005, 0.05), rate, rng,
              [&](std::size_t first) { add_incident_of(what, kind, sound, first, rate, rng); });
  }
}

}  // namespace motet::discover
