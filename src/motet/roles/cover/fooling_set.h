// Cells no two of which one role can cover: as many roles are needed at least.
//
// In a part, no two cells of such a set share a row or a column, so it is kept as "the row of each column". It is found
// greedily, cells with few compatible ones first, and grown by local search: a cell is exchanged for two others, and
// when nothing more is gained a random cell is forced in (Andrade, Resende, Werneck: Fast local search for the maximum
// independent set problem, 2012).
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "motet/base/rng.h"
#include "motet/roles/cover/part.h"

namespace motet::roles {

// Cells of the part, rising. `rounds` of forcing in; ends early when there are `enough`.
std::vector<std::uint32_t> fooling_set(const CoverPart& part, std::size_t rounds, std::size_t enough, Rng rng);

}  // namespace motet::roles
