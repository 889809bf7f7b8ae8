// What is decided for one item once densities and priors of its candidate sets are there.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "motet/multilabel/predict.h"

namespace motet {

struct ItemDecision {
  std::vector<std::uint64_t> set;  // words of the decision
  double posterior = 0.0;          // 0 for a set that is not a candidate, which `hamming` can choose
  double log_likelihood = 0.0;     // NaN for such a set
  double log_joint = 0.0;          // log p(x | L) + log prior of the best candidate
  std::vector<double> marginal;    // one a label
  std::vector<RankedSet> ranked;   // rows of `sets`
};

// Densities and priors one a row of `sets`. When no candidate can have made the item (all densities
// are 0) the prior alone decides.
ItemDecision decide_item(const BitMatrix& sets, std::span<const double> log_density, std::span<const double> log_prior,
                         Decision decision, std::size_t best);

// Value of the density quantile at `level`, between the neighbouring ones of the calibration;
// -inf when it has none.
double outlier_bound(const Calibration& calibration, double level);

}  // namespace motet
