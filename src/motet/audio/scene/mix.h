// Foreground sounds into a background at a known level and place, as in recordings with planted bird songs.
//
// With the background B and a foreground F of T samples from sample p on (the first is 0; the source counts from 1),
//
//   F~_t = F_t sqrt(sum_t B_(p+t)^2 / sum_t F_t^2)        as strong as what it covers
//   S_(p+t) = B_(p+t) + gain F~_t                         and S = B elsewhere
//
// A gain of 10^(r/20) is a signal-to-noise ratio of r dB. Sums go over all channels; a foreground of one channel goes
// into each. All foregrounds are measured against the background alone, so their order does not matter.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "motet/base/rng.h"
#include "motet/data/segment.h"
#include "motet/data/sequences.h"
#include "motet/data/sound.h"

namespace motet::audio {

struct Foreground {
  std::string label;
  Sound sound;
};

struct Placed {
  std::string label;
  std::size_t first = 0;  // sample
  std::size_t samples = 0;
  double factor = 0.0;  // of the samples
};

struct Mixture {
  Sound sound;
  std::vector<Placed> placed;  // in the order of the foregrounds
};

// First samples drawn so that no two foregrounds overlap and every such arrangement is as likely. Throws
// Error{unanswerable} where they do not fit beside each other.
std::vector<std::size_t> random_places(std::size_t background_samples, std::span<const Foreground> foregrounds,
                                       Rng rng);

// Throws Error{bad_data} for rates or channels that do not go together, for places past the end, and for
// silence, which has no level: "song.wav: ...".
Mixture mix(Sound background, std::span<const Foreground> foregrounds, std::span<const std::size_t> first, double gain);

double gain_of_ratio(double decibels);

std::vector<Segment> segments_of(const Mixture& mixture, const std::string& name);

// The labels of each row of the clock, joined by '|' in the order of time: those that share a sample with it.
// `otherwise` where there is none.
std::vector<std::string> labels_of_rows(const Mixture& mixture, const FrameClock& clock, const std::string& otherwise);

}  // namespace motet::audio
