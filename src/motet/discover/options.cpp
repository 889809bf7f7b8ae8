#include "motet/discover/options.h"

#include <algorithm>

namespace motet::discover {

std::string_view name_of(Strategy strategy) {
  switch (strategy) {
    case Strategy::temporal: return "temporal";
    case Strategy::static_mixture: return "static";
    case Strategy::literal: return "literal";
    case Strategy::interleave: return "interleave";
    case Strategy::nndm: return "nndm";
    case Strategy::random: return "random";
    case Strategy::static_gmm: return "static-gmm";
    case Strategy::adaptive: return "adaptive";
    case Strategy::farthest_first: return "farthest-first";
    case Strategy::isolation_forest: return "isolation-forest";
    case Strategy::energy: return "energy";
    case Strategy::density: return "density";
    case Strategy::grid: return "grid";
    case Strategy::distance: return "distance";
  }
  return "?";
}

bool is_as_published(Strategy strategy) {
  return strategy == Strategy::literal || strategy == Strategy::static_gmm || strategy == Strategy::interleave;
}

bool asks_by_mixture(Strategy strategy) {
  return is_as_published(strategy) || strategy == Strategy::temporal || strategy == Strategy::static_mixture;
}

std::vector<std::size_t> exclusion_levels(const DiscoverOptions& options) {
  auto g = static_cast<std::size_t>(std::max(0, options.exclusion));
  std::vector<std::size_t> levels{g};
  if (asks_by_mixture(options.strategy) || options.strategy == Strategy::nndm || options.strategy == Strategy::random) {
    return levels;
  }
  for (; g > 0; levels.push_back(g)) g /= 2;
  return levels;
}

}  // namespace motet::discover
