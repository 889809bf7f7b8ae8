// What a log-linear model (linear_weights.h) says of all label sets of an item, also of those that no training item
// has:
//
//   p(L | x) ~ P(L) exp(sum_{k in L} z_k),  P(L) = (1 - novel) share(L) + novel smooth(L)
//
// with the prior of set_prior.h, whose `novel` is how often a training item has a set that no other has: what
// leaving out one item after the other finds. All is exact. smooth(L) = w_m prod_{k in L} o_k for m labels, so its
// sums over sets are symmetric polynomials of o_k e^{z_k}, gathered label by label in O(K^2); and of the sets with m
// labels that with the m largest log o_k + z_k has the most of it, so that the most probable of all 2^K sets is one of
// these K + 1 or an observed one.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "motet/multilabel/set_prior.h"

namespace motet::multilabel {

struct OpenItem {
  std::vector<double> observed;   // log joint of each observed set, up to a number of the item
  BitMatrix unseen;               // of each number of labels the most probable set, where it was not observed
  std::vector<double> log_joint;  // of these
  double log_sum = 0.0;           // over all sets
};

class OpenSets {
 public:
  // Sets of at most `most_labels`; no_set is no limit.
  OpenSets(const LabelSetPrior& prior, std::size_t most_labels);

  OpenItem of(std::span<const double> z) const;
  std::vector<double> marginals(std::span<const double> z, const OpenItem& item) const;  // P(k in L | x)
  double log_joint(std::span<const double> z, std::span<const std::uint64_t> set) const;

 private:
  // Of the smooth part: log of the sum over the ways to go on from label k with m labels so far, (K + 1) x (M + 2).
  std::vector<double> onward(std::span<const double> weight) const;
  std::vector<double> weights(std::span<const double> z) const;

  const LabelSetPrior& prior_;
  std::size_t most_ = 0;             // labels of a set
  std::vector<double> of_degree_;    // log novel + log w_m, m = 0 ... M
  std::vector<double> of_observed_;  // log P(L); -inf of sets with too many labels
  std::vector<double> share_only_;   // log (1 - novel) share(L), likewise
};

}  // namespace motet::multilabel
