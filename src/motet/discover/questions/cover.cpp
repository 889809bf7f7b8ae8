#include "motet/discover/questions/cover.h"

#include <algorithm>

namespace motet::discover {

std::vector<RowRange> least_cover(std::span<const std::size_t> starts, std::span<const std::uint8_t> within,
                                  std::size_t g) {
  std::vector<RowRange> ranges;
  for (std::size_t s = 0; s + 1 < starts.size(); ++s) {
    const std::size_t end = starts[s + 1];
    for (std::size_t n = starts[s]; n < end; ++n) {
      if (within[n] != 0) continue;
      std::size_t last = std::min(end - 1, n + 2 * g);
      while (within[last] != 0) --last;
      ranges.push_back({std::max(starts[s], last - std::min(last, g)), std::min(end, n + g + 1)});
      n = last;
    }
  }
  return ranges;
}

}  // namespace motet::discover
