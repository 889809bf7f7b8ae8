// Orders by lot.
#pragma once

#include <cstddef>
#include <numeric>
#include <utility>
#include <vector>

#include "motet/base/rng.h"

namespace motet {

inline std::vector<std::size_t> random_order(std::size_t size, Rng& rng) {
  std::vector<std::size_t> order(size);
  std::iota(order.begin(), order.end(), std::size_t{0});
  for (std::size_t i = size; i > 1; --i) std::swap(order[i - 1], order[rng.below(i)]);
  return order;
}

}  // namespace motet
