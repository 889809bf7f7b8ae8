// What the votes of judges say of the labels of items, and how it takes the place of candidates.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "motet/data/candidate_items.h"
#include "motet/data/names.h"

namespace motet {

struct VoteEvidence {
  NameList items;  // with votes
  std::vector<std::string> classes;
  std::vector<double> likelihood;  // items x classes: of the votes if the label were that one; the largest is 1
};

struct VotedItems {
  std::size_t without_votes = 0;       // items that may be anything
  std::vector<std::string> only_true;  // classes that only the truth names; they come last
};

// Items are found by their names. Their classes become those declared, or where none are, those of the votes and what
// only the truth names. A class that is none of the votes' is possible only for items without votes.
VotedItems set_candidates(CandidateItems& items, const VoteEvidence& evidence, std::span<const std::string> declared);

}  // namespace motet
