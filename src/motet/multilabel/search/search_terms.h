// What the prior and the options contribute to the cost of a label set, whatever the sources are.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "motet/multilabel/search/best_sets.h"

namespace motet::multilabel {

struct SearchTerms {
  std::vector<double> constant;  // by number of labels, 0 ... K; infinite where it may not be
  std::vector<double> weight;    // one per label

  std::size_t most() const {  // largest number of labels that may be
    std::size_t j = constant.size() - 1;
    while (j > 0 && constant[j] == no_cost_limit) --j;
    return j;
  }
};

// One kind of source's way to search; prepared once, asked item by item from any thread.
class SearchPlan {
 public:
  virtual ~SearchPlan() = default;
  virtual void find(std::span<const double> x, std::span<const std::uint8_t> allowed, BestSets& best) const = 0;
};

}  // namespace motet::multilabel
