// The best label set among all, exactly, without looking at all.
//
// Shared covariance: whitened, cost(L) = |x - mu_L|^2 c(m) + constant(m) + linear terms of the
// labels' prior odds, m = |L|: a closest-point problem for each m, solved by a depth-first sphere
// decoder (sphere_decoder.h), one for all m where the target does not depend on m (sum), else one
// for each m that share the best so far (mean; noise beside the sources).
// Unequal diagonal covariances, and families of one parameter that adds up over labels: branch and
// bound on intervals of the sums (interval_search.h). Full unequal covariances: branch and bound in
// which the covariance is bounded from above by that of all labels still possible
// (matrix_search.h). When the node limit is hit, the gap is stated.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "motet/base/run.h"
#include "motet/multilabel/model.h"

namespace motet::multilabel {

struct SearchOptions {
  std::size_t max_degree = 0;          // 0: any
  std::size_t best = 1;                // how many sets
  std::size_t node_limit = 5'000'000;  // per item
  bool use_prior = true;               // posterior (smooth prior of set_prior.h) or likelihood
};

struct FoundSets {
  BitMatrix sets;             // best first, at most SearchOptions::best
  std::vector<double> score;  // log p(x | L), plus log smooth(L) with the prior
  double gap = 0.0;           // no set scores more than score[0] + gap; 0: these are the best, proved
  std::size_t nodes = 0;
};

// Prepared once per model, then asked item by item; safe to ask from several threads.
class SetSearch {
 public:
  SetSearch(const MultilabelModel& model, const SearchOptions& options);
  ~SetSearch();
  SetSearch(SetSearch&&) noexcept;

  // x: prepared features. `allowed`: sets of these labels only; empty: of all. Without sets when
  // no set can have made the item. One item may take seconds: `cancel` (may be null) ends it.
  FoundSets find(std::span<const double> x, std::span<const std::uint64_t> allowed = {},
                 const CancelFlag* cancel = nullptr) const;

 private:
  struct Plan;
  std::unique_ptr<const Plan> plan_;
};

// False for models whose sets are not combinations of sources (`new`, one-of, no closed form):
// those enumerate.
bool can_search(const MultilabelModel& model);

}  // namespace motet::multilabel
