// Which way of fitting suits the votes at hand: each foresees votes that were held out (foresight.h). They are gone
// through from the plainest on, tables around a common centre, and a way that is clearly ahead of the best before it
// takes its place. Large tables are compared on some of their items, evenly spaced.
//
// Subtypes compete only where there are two classes. With more, an item between two classes makes a subtype of its
// own that foresees votes well and belongs to the wrong class: votes alone cannot tell, and labels got worse in
// simulations with ordered classes, item difficulty and families of judges (docs/decisions.md).
#pragma once

#include <string>
#include <vector>

#include "motet/judges/confusion/confusion_em.h"
#include "motet/judges/states/foresight.h"

namespace motet::judges {

struct FittingWay {
  std::string name;  // for people
  JudgeNoise noise = JudgeNoise::shared;
  StateOptions states;     // of shared and subtypes
  double smoothing = 0.0;  // of tables and one accuracy per judge
};

struct ComparedWay {
  FittingWay way;
  Foresight foresight;  // log probability per vote
  Foresight behind;     // the best one's advantage over it
};

struct WayChoice {
  std::vector<ComparedWay> ways;
  std::size_t best = 0;
  std::size_t items = 0;  // on which they were compared
  const FittingWay& chosen() const { return ways[best].way; }
};

// With levels, unless the tables would be very large.
StateOptions shared_options(const VoteTable& table);

WayChoice choose_way(const Votes& votes, const VoteTable& table, const std::vector<double>& known_prior,
                     const RunContext& run);

// The number of subtypes per class that foresees votes best.
WayChoice choose_subtypes(const Votes& votes, const std::vector<double>& known_prior, const RunContext& run);

}  // namespace motet::judges
