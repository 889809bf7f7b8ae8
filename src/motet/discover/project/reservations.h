// Different questions for people who ask at the same time.
//
// Whoever asks under a name has the questions for a while, and others get the next ones: of the queue, and where that
// does not suffice, of what would be asked after it. A question is passed over also where it lies within the exclusion
// of one that somebody has, for that answer will cover it. The search itself does not know of reservations.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "motet/base/parallel.h"
#include "motet/data/features.h"
#include "motet/discover/discovery.h"

namespace motet::discover {

struct Reservation {
  std::size_t row = 0;
  std::string by;
  std::int64_t until = 0;  // milliseconds since 1970, UTC

  bool operator==(const Reservation&) const = default;
};

struct OwnQuestion {
  Nomination nomination;
  std::string also_of = {};     // who has it already, when nothing else is left to ask; else empty
  bool is_from_before = false;  // held since before, and no longer in the queue
};

// `count` questions for `by` at most: first those held under that name that are still open, then others; when all
// are held by others, those. Only densities that are missing are brought into the discovery.
std::vector<OwnQuestion> choose_own_questions(const Features& features, Discovery& discovery,
                                              const std::vector<Reservation>& held, const std::string& by,
                                              std::size_t count, Threads threads);

}  // namespace motet::discover
