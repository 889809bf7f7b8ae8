// Kinds of events for made recordings, as unlike each other as the program can make them.
//
// A class is a family and a stream of random numbers: what all its occurrences have in common (pitch, rhythm, timbre)
// is drawn from the class, what varies (length, level of parts, small deviations of pitch) from the occurrence.
#pragma once

#include <span>
#include <string_view>

#include "experiments/discover/sound_tools.h"

namespace motet::discover {

enum class EventFamily {
  sweep,
  clicks,
  bell,
  burst,
  trill,
  thump,
  growl,
  knock,
  call,
  alarm,
  hiss,
  squeak,
  pluck,
  fly,
  cuckoo,
  bounce,
  siren,
  bark,
  scrape,
  crackle,
  zap
};

std::string_view name_of(EventFamily family);

constexpr double shortest_event = 0.3;  // s
constexpr double longest_event = 6.0;

// An occurrence; from its first sample to its last it sounds, but for pauses inside.
Wave made_event(EventFamily family, double rate, Rng of_class, Rng of_occurrence);

}  // namespace motet::discover
