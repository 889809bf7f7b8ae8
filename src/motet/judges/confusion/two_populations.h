// Error rates of one judge at a time, from unlabeled votes on two populations.
//
// Proposition 7 of Donmez, Lebanon, Balasubramanian, with the formula it lacks (E20). Classes
// are 1 and 2; theta_11 and theta_22 are the probabilities of being right on each, the same
// in both populations; pi_s is the known share of class 1 in population s, and p_s the share
// of votes for class 1:
//   p_s = pi_s theta_11 + (1 - pi_s)(1 - theta_22),
//   theta_11     = ((1 - pi_b) p_a - (1 - pi_a) p_b) / (pi_a - pi_b)
//   1 - theta_22 = (pi_a p_b - pi_b p_a) / (pi_a - pi_b)
//   risk_s       = pi_s (1 - theta_11) + (1 - pi_s)(1 - theta_22)
// All three are linear in (p_a, p_b), and so are the variances, with v = p (1 - p) / n. Judges
// are rated one by one, so they need not be independent of each other.
#pragma once

#include <string>
#include <vector>

#include "motet/base/fields.h"
#include "motet/base/interval.h"
#include "motet/data/votes.h"

namespace motet::judges {

struct TwoPopulationsOptions {
  double prior_a = 0.5;  // probability of the first class in population a
  double prior_b = 0.5;
  double confidence = 0.95;
};

template <class V>
void visit_fields(V& v, TwoPopulationsOptions& o) {
  v("prior_a", o.prior_a, Range<double>{0.0, 1.0}, "share of the first class in the first population");
  v("prior_b", o.prior_b, Range<double>{0.0, 1.0}, "share of the first class in the second population");
  v("confidence", o.confidence, Range<double>{0.5, 0.9999}, "probability that an interval holds the true value");
}

struct ProbabilityEstimate {
  double value = 0.0;  // cut to [0, 1]
  double error = 0.0;  // standard error, before the cut
  Interval interval;   // cut to [0, 1]
};

struct TwoPopulationsJudge {
  std::string name;
  std::size_t votes_a = 0;
  std::size_t votes_b = 0;
  double first_share_a = 0.0;  // p_a
  double first_share_b = 0.0;
  ProbabilityEstimate right_on_first;   // theta_11
  ProbabilityEstimate right_on_second;  // theta_22
  ProbabilityEstimate risk_a;           // probability of a wrong vote in population a
  ProbabilityEstimate risk_b;
};

struct TwoPopulationsResult {
  std::vector<std::string> classes;
  std::vector<TwoPopulationsJudge> judges;  // those of `a` that also voted in `b`
  std::vector<std::string> warnings;
};

// Known labels in the votes are not used. Where all votes agree, p (1 - p) takes p half a
// vote away from 0 or 1, so that an error is never 0.
TwoPopulationsResult rate_two_populations(const Votes& a, const Votes& b, const TwoPopulationsOptions& options);

}  // namespace motet::judges
