// The least number of groups, by trying all ways that may be better: for parts of a few dozen cells.
#pragma once

#include <cstddef>

#include "motet/roles/cover/grouping.h"

namespace motet::roles {

struct GroupSearch {
  CellGroups grouping;
  bool is_least = false;  // else `most_nodes` were not enough to tell
};

// `start` is a grouping to be beaten, `apart` cells no two of which are compatible (fooling_set.h): each opens a group.
// The cell with the fewest groups that would take it comes next (Brélaz's DSATUR, on incompatible cells).
GroupSearch least_groups(const CoverPart& part, const CellGroups& start, const std::vector<std::uint32_t>& apart,
                         std::size_t most_nodes);

}  // namespace motet::roles
