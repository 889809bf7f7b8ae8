// How sure a fit of item_states.h is.
//
// The free numbers are, for every judge and true class, the logit of a right vote (in all states of the class alike,
// what is said instead keeping its proportions), the logits of the class shares, and those of the shares of levels.
// Their observed information is that of the complete data less what is missing (Louis 1982), with the hidden state,
// the hidden level, and whether a vote was about the item as the missing data. Nothing counts as seen but items and
// votes: the pseudo votes that hold a judge to what judges have in common are its prior, one item's worth per class
// that of the shares.
#pragma once

#include <vector>

#include "motet/judges/states/state_fit.h"

namespace motet::judges {

struct StateUncertainty {
  std::vector<double> accuracy_votes;  // by judge, as in confusion/information.h
  std::vector<double> right_votes;     // by judge and class: of the probability of a right vote
  std::vector<double> prior_votes;     // by class
  std::size_t free_numbers = 0;
  bool judges_apart = false;  // too many numbers for the whole matrix
};

StateUncertainty state_uncertainty(const VoteTable& table, const StateFit& fit, const RunContext& run);

// What judge j says of items of a class, over its states and all levels: p(said | class) at
// [(judge * K + said) * K + class], behind the class shares, as confusion_em.h lays parameters out.
std::vector<double> class_tables(const StateShape& shape, std::span<const double> parameters, std::size_t judges);

}  // namespace motet::judges
