// Cells dealt out to groups, those with the fewest groups left to them first.
//
// Cells that no role can share (fooling_set.h) open a group each. Then always the cell that the fewest groups would
// take goes to the one where it shuts out least, and opens a group when none takes it (Brélaz's DSATUR on incompatible
// cells). Where every role has a cell of its own, most others are forced one after the other.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "motet/base/rng.h"
#include "motet/roles/cover/grouping.h"

namespace motet::roles {

// Nothing when more than `most` groups would be needed. Ties are broken by lot.
std::optional<CellGroups> dealt_hardest_first(const CoverPart& part, const std::vector<std::uint32_t>& apart,
                                              std::size_t most, Rng& rng);

}  // namespace motet::roles
