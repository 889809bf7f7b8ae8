// Judges of known kinds, made for experiments. Every kind draws the class of each item, lets some judges vote on it
// (the busier a judge, the more: activities are log-normal), and makes their votes:
//
//   independent    tables of their own: right with a beta-distributed probability, errors in shared directions
//   many-classes   the same with ten classes, 150 judges and four votes per item
//   ordered        five ordered classes: class plus the item's own shift, the judge's bias and spread, rounded
//   ordered-rare   four, uneven, 300 judges, one in eight of whom guesses
//   difficulty     GLAD: right with probability s(a_j exp(b_i)), two classes
//   lures          the same in four classes, most errors towards one class of the item's own
//   copies         ten judges, three of whom repeat a fourth with probability 0.5 or 0.8
//   families       three families of four; with probability 0.6 a member says what its family says
//   trap           15 % of items draw six votes in ten to one wrong class
//   spammers       two of five judges guess or always say the same
//   rare           classes 95 : 5
//   llms           nine judges of three families, with items that mislead half of them
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "motet/base/rng.h"
#include "motet/data/votes.h"

namespace motet::judges {

struct MadeJudges {
  Votes votes;
  std::vector<std::int32_t> truth;
};

std::vector<std::string_view> kinds_of_made_judges();
MadeJudges make_judges(std::string_view kind, Rng rng);

}  // namespace motet::judges
