#include "motet/audio/scene/mix.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

#include "motet/base/error.h"

namespace motet::audio {
namespace {

double energy_of(const Sound& sound, std::size_t first, std::size_t samples) {
  double sum = 0.0;
  for (const std::vector<float>& channel : sound.channels) {
    for (std::size_t t = first; t < first + samples; ++t) {
      sum += static_cast<double>(channel[t]) * static_cast<double>(channel[t]);
    }
  }
  return sum;
}

// One channel stands for as many as the background has.
double energy_in(const Foreground& foreground, std::size_t channels) {
  const double energy = energy_of(foreground.sound, 0, foreground.sound.samples());
  const std::size_t copies = channels / foreground.sound.channels.size();
  return energy * static_cast<double>(copies);
}

void check_foreground(const Sound& background, const Foreground& foreground, std::size_t first) {
  const Sound& sound = foreground.sound;
  if (sound.sample_rate != background.sample_rate) {
    fail(ErrorKind::bad_data,
         fmt::format("{}: has {} Hz and the background {} Hz; --rate brings both to one", foreground.label,
                     to_text(sound.sample_rate), to_text(background.sample_rate)));
  }
  if (sound.channels.size() != 1 && sound.channels.size() != background.channels.size()) {
    fail(ErrorKind::bad_data,
         fmt::format("{}: has {} channels and the background {}; one channel goes into each, or both "
                     "have the same number",
                     foreground.label, sound.channels.size(), background.channels.size()));
  }
  if (first + sound.samples() > background.samples()) {
    fail(ErrorKind::bad_data,
         fmt::format("{}: {} s from {} s on go beyond the {} s of the background", foreground.label,
                     to_text(sound.seconds()), to_text(static_cast<double>(first) / background.sample_rate),
                     to_text(background.seconds())));
  }
}

void add_to(Sound& mixture, const Sound& foreground, const Placed& placed) {
  for (std::size_t c = 0; c < mixture.channels.size(); ++c) {
    const std::vector<float>& from = foreground.channels[foreground.channels.size() == 1 ? 0 : c];
    std::vector<float>& to = mixture.channels[c];
    for (std::size_t t = 0; t < from.size(); ++t) {
      const double sum = static_cast<double>(to[placed.first + t]) + placed.factor * static_cast<double>(from[t]);
      to[placed.first + t] = static_cast<float>(sum);
    }
  }
}

}  // namespace

double gain_of_ratio(double decibels) { return std::pow(10.0, decibels / 20.0); }

std::vector<std::size_t> random_places(std::size_t background_samples, std::span<const Foreground> foregrounds,
                                       Rng rng) {
  std::size_t taken = 0;
  for (const Foreground& one : foregrounds) taken += one.sound.samples();
  if (taken > background_samples) {
    fail(ErrorKind::unanswerable,
         "the foregrounds are longer than the background and cannot lie beside each other; "
         "give places with --at, where they may overlap");
  }
  std::vector<std::size_t> order(foregrounds.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  for (std::size_t i = order.size(); i > 1; --i) std::swap(order[i - 1], order[rng.below(i)]);
  // Where each would begin if those before it had no length.
  std::vector<std::size_t> gaps(foregrounds.size());
  for (std::size_t& gap : gaps) gap = rng.below(background_samples - taken + 1);
  std::sort(gaps.begin(), gaps.end());
  std::vector<std::size_t> first(foregrounds.size());
  std::size_t before = 0;
  for (std::size_t i = 0; i < order.size(); ++i) {
    first[order[i]] = gaps[i] + before;
    before += foregrounds[order[i]].sound.samples();
  }
  return first;
}

Mixture mix(Sound background, std::span<const Foreground> foregrounds, std::span<const std::size_t> first,
            double gain) {
  Mixture mixture;
  for (std::size_t i = 0; i < foregrounds.size(); ++i) {
    const Foreground& foreground = foregrounds[i];
    check_foreground(background, foreground, first[i]);
    const std::size_t samples = foreground.sound.samples();
    const double own = energy_in(foreground, background.channels.size());
    const double covered = energy_of(background, first[i], samples);
    if (own == 0.0 || covered == 0.0) {
      fail(ErrorKind::bad_data, fmt::format("{}: {} is silent, and silence has no level to compare with",
                                            foreground.label, own == 0.0 ? "it" : "the background under it"));
    }
    mixture.placed.push_back({foreground.label, first[i], samples, gain * std::sqrt(covered / own)});
  }
  mixture.sound = std::move(background);
  for (std::size_t i = 0; i < foregrounds.size(); ++i) {
    add_to(mixture.sound, foregrounds[i].sound, mixture.placed[i]);
  }
  return mixture;
}

std::vector<Segment> segments_of(const Mixture& mixture, const std::string& name) {
  std::vector<Segment> segments;
  for (const Placed& one : mixture.placed) {
    Segment segment;
    segment.sequence = name;
    segment.begin = static_cast<double>(one.first) / mixture.sound.sample_rate;
    segment.end = static_cast<double>(one.first + one.samples) / mixture.sound.sample_rate;
    segment.label = one.label;
    segments.push_back(std::move(segment));
  }
  std::stable_sort(segments.begin(), segments.end(),
                   [](const Segment& a, const Segment& b) { return a.begin < b.begin; });
  return segments;
}

std::vector<std::string> labels_of_rows(const Mixture& mixture, const FrameClock& clock, const std::string& otherwise) {
  const double rate = mixture.sound.sample_rate;
  const auto samples = static_cast<std::int64_t>(mixture.sound.samples());
  const std::int64_t window = std::llround(clock.window * rate);
  std::vector<Placed> in_time = mixture.placed;
  std::stable_sort(in_time.begin(), in_time.end(), [](const Placed& a, const Placed& b) { return a.first < b.first; });
  std::vector<std::string> labels;
  for (std::int64_t row = 0;; ++row) {
    const std::int64_t begin = std::llround(static_cast<double>(row) * clock.hop * rate);
    if (begin + window > samples) return labels;
    std::vector<std::string> heard;
    for (const Placed& one : in_time) {
      const auto first = static_cast<std::int64_t>(one.first);
      const bool overlaps = first < begin + window && begin < first + static_cast<std::int64_t>(one.samples);
      if (overlaps && std::find(heard.begin(), heard.end(), one.label) == heard.end()) heard.push_back(one.label);
    }
    labels.push_back(heard.empty() ? otherwise : fmt::format("{}", fmt::join(heard, "|")));
  }
}

}  // namespace motet::audio
