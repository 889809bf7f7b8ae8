// The fewest questions that bring every row within g rows of an answer: from the first row that is not, as far to the
// right as one question reaches, and so on. No set of questions does with fewer, since the first rows of two ranges lie
// more than 2g apart.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "motet/discover/answers.h"

namespace motet::discover {

// One range per question: any row of it will do. `within`: 1 for rows that an answer reaches.
std::vector<RowRange> least_cover(std::span<const std::size_t> starts, std::span<const std::uint8_t> within,
                                  std::size_t g);

}  // namespace motet::discover
