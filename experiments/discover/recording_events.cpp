#include "experiments/discover/recording_events.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "experiments/discover/event_parts.h"
#include "experiments/discover/later_events.h"

namespace motet::discover {
namespace {

Wave sweep_event(EventDraw draw) {
  const double from = log_uniform(draw.common, 350.0, 0.25 * draw.rate);
  const double to = from * log_uniform(draw.common, 0.4, 2.5);
  const double length = draw.common.uniform(0.3, 1.0);
  const double pause = draw.common.uniform(0.05, 0.4);
  const std::size_t count = 1 + draw.common.below(4);
  const double bow = draw.common.uniform(0.5, 2.0);
  const std::array<double, 2> levels = {1.0, draw.common.uniform(0.0, 0.4)};
  Wave wave;
  double at = 0.0;
  for (std::size_t n = 0; n < count; ++n) {
    const double shift = draw.about(1.0, 0.04);
    const double lasts = draw.about(length, 0.15);
    put(wave, at,
        gliding(lasts, draw.rate, levels, 0.05,
                [&](double part) { return shift * from * std::pow(to / from, std::pow(part, bow)); }),
        1.0, draw.rate);
    at += lasts + draw.about(pause, 0.15);
  }
  return wave;
}

Wave clicks_event(EventDraw draw) {
  const double length = draw.about(log_uniform(draw.common, 0.6, 5.0), 0.25);
  const double per_second = log_uniform(draw.common, 4.0, 30.0);
  const double speed_up = draw.common.uniform(0.5, 2.0);
  const double hertz = log_uniform(draw.common, 800.0, 0.35 * draw.rate);
  const double decay = draw.common.uniform(0.003, 0.012);
  const double unrest = draw.common.uniform(0.0, 0.2);
  Wave wave;
  for (double t = 0.0; t < length;) {
    put(wave, t, decaying_tone(draw.about(hertz), decay, 1.0, draw.rate), draw.varied.uniform(0.7, 1.0), draw.rate);
    t += draw.about(1.0, unrest) / (per_second * std::pow(speed_up, t / length));
  }
  return wave;
}

Wave bell_event(EventDraw draw) {
  const double base = log_uniform(draw.common, 250.0, 1500.0);
  const double decay = draw.common.uniform(0.3, 0.9);
  std::array<double, 5> ratios = {1.0, 2.0, 2.76, 4.07, 5.4};
  for (double& ratio : ratios) ratio *= draw.common.uniform(0.9, 1.1);
  const std::size_t count = 1 + draw.common.below(3);
  const double apart = draw.common.uniform(0.4, 1.0);
  Wave wave;
  for (std::size_t n = 0; n < count; ++n) {
    const double begin = static_cast<double>(n) * draw.about(apart, 0.05);
    for (std::size_t p = 0; p < ratios.size(); ++p) {
      const double falls = decay / (1.0 + 0.5 * static_cast<double>(p));
      Wave partial = decaying_tone(base * ratios[p], falls, 1.0, draw.rate);
      partial.resize(partial.size() / 2);  // what is below 5 % of the stroke counts for the background
      put(wave, begin, partial, draw.varied.uniform(0.5, 1.0) / (1.0 + 0.5 * static_cast<double>(p)), draw.rate);
    }
  }
  return wave;
}

Wave burst_event(EventDraw draw) {
  const double hertz = log_uniform(draw.common, 400.0, 0.3 * draw.rate);
  const double q = draw.common.uniform(0.7, 4.0);
  const double length = draw.common.uniform(0.15, 0.6);
  const double pause = draw.common.uniform(0.05, 0.4);
  const std::size_t count = 1 + draw.common.below(5);
  Wave wave;
  double at = 0.0;
  for (std::size_t n = 0; n < count; ++n) {
    const double lasts = draw.about(count == 1 ? length + 0.3 : length, 0.2);
    TwoPole band(draw.about(hertz), q, draw.rate);
    Wave part(samples_of(lasts, draw.rate));
    for (std::size_t i = 0; i < part.size(); ++i) {
      band.step(flat_noise(draw.varied));
      part[i] = band.band() * ends_at(static_cast<double>(i) / draw.rate, lasts, 0.02);
    }
    put(wave, at, part, draw.varied.uniform(0.7, 1.0), draw.rate);
    at += lasts + draw.about(pause, 0.2);
  }
  return wave;
}

Wave trill_event(EventDraw draw) {
  const double hertz = log_uniform(draw.common, 600.0, 0.28 * draw.rate);
  const double wide = draw.common.uniform(1.05, 1.5);
  const double beats = draw.common.uniform(7.0, 35.0);
  const double length = draw.about(log_uniform(draw.common, 0.5, 4.0), 0.25);
  const bool has_pauses = draw.common.uniform() < 0.5;
  const double shift = draw.about(1.0, 0.03);
  const std::array<double, 2> levels = {1.0, draw.common.uniform(0.0, 0.3)};
  Wave wave = gliding(length, draw.rate, levels, 0.05, [&](double part) {
    return shift * hertz * std::pow(wide, std::sin(turn * beats * part * length));
  });
  if (!has_pauses) return wave;
  for (std::size_t i = 0; i < wave.size(); ++i) {
    wave[i] *= 0.5 + 0.5 * std::cos(turn * beats * static_cast<double>(i) / draw.rate);
  }
  return wave;
}

Wave thump_event(EventDraw draw) {
  const double hertz = draw.common.uniform(60.0, 180.0);
  const double decay = draw.common.uniform(0.05, 0.15);
  const double bend = draw.common.uniform(0.6, 0.95);
  const double apart = draw.common.uniform(0.2, 0.8);
  const double dull = draw.common.uniform(0.1, 0.6);
  const std::size_t count = 2 + draw.common.below(6);
  Wave wave;
  double at = 0.0;
  for (std::size_t n = 0; n < count; ++n) {
    put(wave, at, decaying_tone(draw.about(hertz), decay, bend, draw.rate), draw.varied.uniform(0.7, 1.0), draw.rate);
    put(wave, at, decaying_noise(4.0 * hertz, 1.0, 0.4 * decay, draw.rate, draw.varied), dull, draw.rate);
    at += draw.about(apart, 0.15);
  }
  return wave;
}

// Pulses of a voice through two resonances; `rough` is how unlike one pulse is to the next.
Wave voiced(double length, double hertz, double rough, std::span<const double> places, EventDraw& draw) {
  Wave wave(samples_of(length, draw.rate));
  std::vector<TwoPole> resonances;
  for (const double place : places) resonances.emplace_back(place, 6.0, draw.rate);
  double phase = 1.0;
  for (std::size_t i = 0; i < wave.size(); ++i) {
    const double time = static_cast<double>(i) / draw.rate;
    phase += hertz * (1.0 + 0.15 * std::sin(0.5 * turn * time / length)) / draw.rate;
    double source = 0.02 * flat_noise(draw.varied);
    if (phase >= 1.0) {
      phase -= 1.0 + rough * draw.varied.uniform(-0.5, 0.5);
      source += draw.about(1.0, rough);
    }
    for (TwoPole& resonance : resonances) {
      resonance.step(source);
      wave[i] += resonance.band();
    }
    wave[i] *= ends_at(time, length, 0.05);
  }
  return wave;
}

Wave growl_event(EventDraw draw) {
  const double hertz = draw.common.uniform(45.0, 140.0);
  const double rough = draw.common.uniform(0.1, 0.6);
  const double first = draw.common.uniform(250.0, 900.0);
  const std::array<double, 2> places = {first, first * draw.common.uniform(1.8, 4.0)};
  const double length = draw.about(log_uniform(draw.common, 0.4, 3.5), 0.3);
  return voiced(length, draw.about(hertz), rough, places, draw);
}

Wave knock_event(EventDraw draw) {
  std::array<double, 3> modes{};
  modes[0] = log_uniform(draw.common, 180.0, 900.0);
  modes[1] = modes[0] * draw.common.uniform(1.4, 2.2);
  modes[2] = modes[0] * draw.common.uniform(2.5, 4.5);
  const double decay = draw.common.uniform(0.012, 0.04);
  const double apart = draw.common.uniform(0.12, 0.45);
  const std::size_t most = 3 + draw.common.below(6);
  const std::size_t count = std::max<std::size_t>(3, most - draw.varied.below(3));
  Wave wave;
  double at = 0.0;
  for (std::size_t n = 0; n < count; ++n) {
    const double strength = draw.varied.uniform(0.6, 1.0);
    for (const double mode : modes) {
      put(wave, at, decaying_tone(mode, decay, 1.0, draw.rate), strength * draw.varied.uniform(0.4, 1.0), draw.rate);
    }
    put(wave, at, decaying_noise(2500.0, 0.7, 0.004, draw.rate, draw.varied), strength, draw.rate);
    at += draw.about(apart, 0.1);
  }
  return wave;
}

Wave call_event(EventDraw draw) {
  const double hertz = log_uniform(draw.common, 220.0, 900.0);
  const double rise = draw.common.uniform(1.1, 1.8);
  const double peak = draw.common.uniform(0.2, 0.8);
  const double length = draw.common.uniform(0.35, 1.4);
  const std::size_t count = 1 + draw.common.below(3);
  std::array<double, 8> levels{};
  for (double& level : levels) level = draw.common.uniform(0.1, 1.0);
  Wave wave;
  double at = 0.0;
  for (std::size_t n = 0; n < count; ++n) {
    const double lasts = draw.about(length, 0.2);
    const double shift = draw.about(1.0, 0.05);
    put(wave, at,
        gliding(lasts, draw.rate, levels, 0.06,
                [&](double part) {
                  const double up = part < peak ? part / peak : (1.0 - part) / (1.0 - peak);
                  return shift * hertz * std::pow(rise, up);
                }),
        1.0, draw.rate);
    at += lasts + draw.about(0.25, 0.3);
  }
  return wave;
}

Wave alarm_event(EventDraw draw) {
  const double hertz = log_uniform(draw.common, 500.0, 2200.0);
  const double other = draw.common.uniform() < 0.5 ? hertz : hertz * draw.common.uniform(1.15, 1.6);
  const double beep = draw.common.uniform(0.08, 0.4);
  const double pause = draw.common.uniform() < 0.4 ? 0.0 : draw.common.uniform(0.05, 0.3);
  const std::size_t count = 3 + draw.common.below(7) + draw.varied.below(3);
  const std::array<double, 5> levels = {1.0, 0.0, draw.common.uniform(0.1, 0.6), 0.0, draw.common.uniform(0.0, 0.4)};
  const double shift = draw.about(1.0, 0.01);
  Wave wave;
  for (std::size_t n = 0; n < count; ++n) {
    const double pitch = shift * (n % 2 == 0 ? hertz : other);
    put(wave, static_cast<double>(n) * (beep + pause),
        gliding(beep, draw.rate, levels, 0.008, [&](double) { return pitch; }), 1.0, draw.rate);
  }
  return wave;
}

Wave hiss_event(EventDraw draw) {
  const double length = draw.about(log_uniform(draw.common, 0.7, 4.5), 0.3);
  const double from = log_uniform(draw.common, 1200.0, 0.35 * draw.rate);
  const double to = from * log_uniform(draw.common, 0.5, 2.0);
  const double rise = draw.common.uniform(0.1, 0.8);  // of the length, to full strength
  TwoPole band(from, 1.2, draw.rate);
  Wave wave(samples_of(length, draw.rate));
  for (std::size_t i = 0; i < wave.size(); ++i) {
    const double part = static_cast<double>(i) / static_cast<double>(wave.size());
    if (i % 64 == 0) band.tune(from * std::pow(to / from, part), 1.2);
    band.step(flat_noise(draw.varied));
    wave[i] = band.band() * std::min(part / rise, (1.0 - part) / (1.0 - rise));
  }
  return wave;
}

Wave squeak_event(EventDraw draw) {
  const double hertz = log_uniform(draw.common, 700.0, 3000.0);
  const double unrest = draw.common.uniform(0.08, 0.3);
  const double pace = draw.common.uniform(0.01, 0.06);  // s in which the pitch forgets itself
  const double length = draw.about(log_uniform(draw.common, 0.4, 2.5), 0.3);
  const std::array<double, 4> levels = {1.0, draw.common.uniform(0.2, 0.9), draw.common.uniform(0.0, 0.6),
                                        draw.common.uniform(0.0, 0.4)};
  SlowLevel pitch(pace, unrest, draw.rate, draw.varied.child(1));
  return gliding(length, draw.rate, levels, 0.04, [&](double) { return hertz * pitch(); });
}

// A string that was plucked: noise that goes round a delay as long as a period, and is smoothed each time.
Wave plucked(double hertz, double seconds, double damping, double rate, Rng& rng) {
  Wave wave(samples_of(seconds, rate));
  Wave string(std::max<std::size_t>(2, samples_of(1.0 / hertz, rate)));
  for (double& x : string) x = flat_noise(rng);
  std::size_t at = 0;
  for (double& x : wave) {
    const std::size_t next = (at + 1) % string.size();
    x = string[at];
    string[at] = damping * 0.5 * (string[at] + string[next]);
    at = next;
  }
  return wave;
}

Wave pluck_event(EventDraw draw) {
  const double hertz = log_uniform(draw.common, 130.0, 700.0);
  const double apart = draw.common.uniform(0.12, 0.45);
  const double damping = draw.common.uniform(0.985, 0.998);
  const std::size_t count = 2 + draw.common.below(7);
  std::vector<double> steps(count);
  for (double& step : steps) step = static_cast<double>(draw.common.below(13));
  Wave wave;
  for (std::size_t n = 0; n < count; ++n) {
    const double pitch = hertz * std::pow(2.0, steps[n] / 12.0);
    put(wave, static_cast<double>(n) * draw.about(apart, 0.03), plucked(pitch, 0.6, damping, draw.rate, draw.varied),
        draw.varied.uniform(0.7, 1.0), draw.rate);
  }
  return wave;
}

Wave fly_event(EventDraw draw) {
  const double hertz = log_uniform(draw.common, 110.0, 320.0);
  const double length = draw.about(draw.common.uniform(1.0, 4.5), 0.3);
  const double doppler = draw.common.uniform(1.02, 1.15);
  std::array<double, 10> levels{};
  for (std::size_t h = 0; h < levels.size(); ++h)
    levels[h] = draw.common.uniform(0.2, 1.0) / static_cast<double>(h + 1);
  SlowLevel unrest(0.05, 0.02, draw.rate, draw.varied.child(1));
  const double shift = draw.about(1.0, 0.06);
  return gliding(length, draw.rate, levels, 0.45 * length, [&](double part) {
    return shift * hertz * std::pow(doppler, std::tanh(4.0 - 8.0 * part)) * unrest();
  });
}

constexpr std::array<std::string_view, 21> family_names = {
    "sweep",  "clicks", "bell", "burst",  "trill",  "thump", "growl", "knock",  "call",    "alarm", "hiss",
    "squeak", "pluck",  "fly",  "cuckoo", "bounce", "siren", "bark",  "scrape", "crackle", "zap"};

}  // namespace

std::string_view name_of(EventFamily family) { return family_names[static_cast<std::size_t>(family)]; }

Wave made_event(EventFamily family, double rate, Rng of_class, Rng of_occurrence) {
  using Maker = Wave (*)(EventDraw);
  constexpr std::array<Maker, 21> makers = {
      sweep_event,  clicks_event, bell_event,  burst_event, trill_event,  thump_event,   growl_event,
      knock_event,  call_event,   alarm_event, hiss_event,  squeak_event, pluck_event,   fly_event,
      cuckoo_event, bounce_event, siren_event, bark_event,  scrape_event, crackle_event, zap_event};
  Wave wave = makers[static_cast<std::size_t>(family)]({of_class, of_occurrence, rate});
  wave.resize(std::clamp(wave.size(), samples_of(shortest_event, rate), samples_of(longest_event, rate)));
  return wave;
}

}  // namespace motet::discover
