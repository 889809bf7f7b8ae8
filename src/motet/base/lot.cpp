#include "motet/base/lot.h"

#include <algorithm>
#include <numeric>
#include <utility>

namespace motet {

std::vector<std::uint32_t> drawn_by_lot(std::size_t count, std::size_t most, Rng rng) {
  std::vector<std::uint32_t> order(count);
  std::iota(order.begin(), order.end(), 0U);
  const std::size_t taken = std::min(most, count);
  for (std::size_t i = 0; i < taken; ++i) std::swap(order[i], order[i + rng.below(count - i)]);
  order.resize(taken);
  return order;
}

}  // namespace motet
