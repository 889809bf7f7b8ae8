// Drawing by lot without putting back.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "motet/base/rng.h"

namespace motet {

// At most `most` of the numbers 0 ... count - 1 in random order; all of them when most >= count.
std::vector<std::uint32_t> drawn_by_lot(std::size_t count, std::size_t most, Rng rng);

}  // namespace motet
