// The baselines everybody starts from: the most frequent vote of each item, and
// how often a judge agrees with it.
#pragma once

#include <cstdint>
#include <vector>

#include "motet/data/votes.h"

namespace motet::judges {

struct MajorityVote {
  std::vector<std::int32_t> label;  // by item; the first of equals; Votes::unknown without votes
  std::vector<double> share;        // of the votes that say so
  std::vector<std::uint32_t> tied;  // how many classes have that share
};

MajorityVote majority_vote(const Votes& votes);

}  // namespace motet::judges
