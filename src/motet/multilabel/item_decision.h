// What is decided for one item once densities and priors of its candidate sets are there.
#pragma once

#include <cstddef>
#include <functional>
#include <span>
#include <vector>

#include "motet/multilabel/predict.h"

namespace motet::multilabel {

struct ItemDecision {
  std::vector<std::uint64_t> set;  // words of the decision
  double posterior = 0.0;          // 0 for a set that is not a candidate, which `hamming` can choose
  double log_likelihood = 0.0;
  double log_joint = 0.0;         // log p(x | L) + log prior of the best candidate; `ml`: without the prior
  double log_sum = 0.0;           // log of the sum of the same over all candidates; -inf where none is possible
  std::vector<double> marginal;   // one per label
  std::vector<RankedSet> ranked;  // rows of `sets`
};

// What `hamming` may choose: not only candidates, but no set that cannot be.
struct HammingSets {
  std::size_t least = 0;  // labels
  std::size_t most = static_cast<std::size_t>(-1);
  std::span<const double> thresholds = {};                                // of each label's probability; empty: 1/2
  std::function<double(std::span<const std::uint64_t> set)> log_density;  // of a set that is no candidate
};

// Densities and priors, one per row of `sets`. When no candidate can have made the item (all densities
// are 0) the prior alone decides. `hamming` takes the labels with a marginal above 1/2, within `allowed`:
// the fewest wrong labels to be expected. Where that set cannot have made the item it takes the candidate
// with the fewest of those that can.
//
// Where more is known than what the candidates say, `all` has it: the log of the sum over all sets, and the marginals.
struct AllSets {
  double log_sum = 0.0;
  std::vector<double> marginal;
};
ItemDecision decide_item(const BitMatrix& sets, std::span<const double> log_density, std::span<const double> log_prior,
                         Decision decision, std::size_t best, const HammingSets& allowed = {},
                         const AllSets* all = nullptr);

// Value of the density quantile at `level`, between the neighbouring ones of the calibration;
// -inf when it has none.
double outlier_bound(const Calibration& calibration, double level);

}  // namespace motet::multilabel
