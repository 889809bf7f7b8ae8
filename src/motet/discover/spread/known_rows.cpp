#include "motet/discover/spread/known_rows.h"

#include <algorithm>

#include "motet/discover/answers.h"

namespace motet::discover {

std::vector<std::uint8_t> rows_taken_as_known(const Features& features, const Discovery& discovery,
                                              const Spread& spread, double level) {
  std::vector<std::uint8_t> known(features.rows(), 0);
  const auto g = static_cast<std::size_t>(std::max(0, discovery.options.exclusion));
  const auto mark = [&](std::size_t begin, std::size_t end, std::uint8_t value) {
    std::fill(known.begin() + static_cast<std::ptrdiff_t>(begin), known.begin() + static_cast<std::ptrdiff_t>(end),
              value);
  };
  for (const SpreadStretch& stretch : spread.stretches) {
    if (stretch.probability < level) continue;
    mark(rows_around(features.starts, stretch.begin, g).begin, rows_around(features.starts, stretch.end - 1, g).end, 1);
  }
  for (const SpreadStretch& stretch : spread.stretches) {
    if (stretch.probability < level) mark(stretch.begin, stretch.end, 0);
  }
  return known;
}

}  // namespace motet::discover
