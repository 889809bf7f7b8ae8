// What the default learns before it judges the judges.
//
// 1. Centre. The rows m_y that all judges have in common, from the shares of votes:
//    m_yc ~ 1 + sum_j sum_{i: j said c} share_iy. Every judge's row gets a prior of
//    `strength` pseudo votes spread like m_y: a judge with few votes looks like the
//    others, one with many like itself.
// 2. Echo. Judges who err on the same hard items carry less evidence than the
//    independence of the model credits them with. phi compares the variance of an
//    item's summed log odds, given its class, with what independence predicts (1 when
//    it holds). If phi is above 1 by more than two standard errors the votes are
//    discounted: each counts as w = 1 / (1 + 5 (phi - 1)) of a vote, but not below a
//    quarter, nor below three votes per item.
// The constants are round numbers that serve all six public sets (docs/judges.md).
#pragma once

#include <span>
#include <vector>

#include "motet/base/run.h"
#include "motet/judges/confusion/confusion_em.h"

namespace motet::judges {

struct VoteShares {
  std::vector<double> classes;  // mean share of each class over items
  std::vector<double> centre;   // m_yc at [y * K + c], rows sum to 1
};
VoteShares vote_shares(const VoteTable& table);

constexpr double centre_strength = 2.0;
ConfusionPrior centred_prior(const VoteShares& shares);

struct Echo {
  double phi = 1.0;
  double standard_error = 0.0;
  double vote_weight = 1.0;  // 1 when phi is not clearly above 1
};
// `parameters` are a fit with vote weight 1.
Echo measure_echo(const VoteTable& table, std::span<const double> parameters, const RunContext& run);

// The prior for a fit in which every vote counts as `vote_weight`: pseudo votes shrink
// alike, and the class prior is held to the vote shares in the same measure.
ConfusionPrior discounted_prior(const VoteTable& table, const VoteShares& shares, double vote_weight);

}  // namespace motet::judges
