// The best combined answer for each item: equation (4) of the document with the
// probability of every class, argmax_y p(y) prod_j pi_j(vote_j | y).
#pragma once

#include <functional>
#include <span>

#include "motet/base/run.h"
#include "motet/data/vote_evidence.h"
#include "motet/data/votes.h"
#include "motet/judges/model.h"

namespace motet::judges {

struct CombinedLabel {
  std::size_t label = 0;
  double probability = 0.0;
};

// The most probable class; the first of equals.
CombinedLabel best_label(std::span<const double> posterior);

// p(class | votes) under the model, by one caller at a time. It keeps what it needs of the model.
RowPosterior posterior_of(const JudgesModel& model);

// Calls visit(item, posterior) in item order, one item at a time: nothing the size
// of the data is kept. `votes` must use the judges and classes of the model.
void combine(const JudgesModel& model, const Votes& votes,
             const std::function<void(std::size_t, std::span<const double>)>& visit);

// How likely the votes on each item are if its class is l: p(l | votes) / p(l), the largest of an item scaled to 1.
VoteEvidence evidence_of_votes(const JudgesModel& model, const Votes& votes);

// Same votes with the judge numbers of the model; judges the model does not know are
// left out and named in `unknown_judges`.
Votes match_judges(const JudgesModel& model, const Votes& votes, std::vector<std::string>& unknown_judges);

}  // namespace motet::judges
