// Known labels from a CSV table with columns item, label (or task, label).
#pragma once

#include <cstddef>
#include <string>

#include "motet/data/votes.h"

namespace motet {

struct GoldCounts {
  std::size_t used = 0;           // items whose class is now known
  std::size_t without_votes = 0;  // items of the file that nobody voted on; ignored
};

// Fills votes.known. An item may come twice if the labels agree. Every rule broken
// is Error{bad_data} with file and line.
GoldCounts read_gold(const std::string& path, Votes& votes, char delimiter = ',');

}  // namespace motet
