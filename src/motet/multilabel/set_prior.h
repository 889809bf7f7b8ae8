// How probable label sets are before an item is seen.
//
// A mixture: with weight 1 - novel an observed set, by its share among the training items;
// with weight novel any set of the family, P(m) times independent labels given their number:
// smooth(L) = P(|L| = m) prod_{k in L} o_k / e_m(o), e_m the elementary symmetric polynomial
// of the labels' odds o. `novel` is the Good-Turing estimate (sets seen once + 1/2) / (items + 1).
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "motet/data/labelled_items.h"
#include "motet/data/value.h"

namespace motet::multilabel {

struct LabelSetPrior {
  BitMatrix sets;                  // observed ones
  std::vector<double> counts;      // items of each
  std::vector<double> log_degree;  // log P(|L| = m), m = 0 ... K; -inf where never seen unless smoothed
  std::vector<double> log_odds;    // one per label
  double novel = 0.0;

  std::size_t labels() const { return sets.columns(); }
  bool operator==(const LabelSetPrior&) const = default;
};

// Degrees share one pseudo-item, so that none has probability 0; half an item is added to both
// sides of a label's odds.
LabelSetPrior learn_set_prior(const LabelSetIndex& index);

double log_smooth(const LabelSetPrior& prior, std::span<const std::uint64_t> set);  // log smooth(L)
double log_prior(const LabelSetPrior& prior, std::span<const std::uint64_t> set);   // of the mixture
double log_share(const LabelSetPrior& prior, std::size_t observed);                 // of observed sets alone

// The same for many sets at once, without computing e_m(o) again for each.
std::vector<double> log_smooths(const LabelSetPrior& prior, const BitMatrix& sets);
std::vector<double> log_priors(const LabelSetPrior& prior, const BitMatrix& sets);
std::vector<double> log_shares(const LabelSetPrior& prior);

// log P(m) - log e_m(o) for m = 0 ... K: log smooth(L) = this plus the log odds of the labels of L.
std::vector<double> log_degree_weights(const LabelSetPrior& prior);

Value to_value(const LabelSetPrior& prior);
LabelSetPrior set_prior_from(const Value& value);  // throws Error{bad_data} for what cannot be

}  // namespace motet::multilabel
