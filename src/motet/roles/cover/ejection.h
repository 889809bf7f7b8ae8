// One group fewer: its cells are forced into other groups, what does not go with them is forced on, and so on.
//
// A random cell without a group goes where it throws out least; what is thrown out may not come back for a while
// (the idea of PartialCol: Bloechliger, Zufferey, A graph coloring heuristic using partial solutions and a reactive
// tabu scheme, 2008). Rows and columns of a group are counted, so that a step looks at words and not at cells.
#pragma once

#include <cstddef>
#include <optional>

#include "motet/roles/cover/grouping.h"

namespace motet::roles {

// Whether the tables that it needs are of a size worth having.
bool can_eject(const CoverPart& part, std::size_t groups);

// A grouping with one group fewer, when `steps` are enough to find one.
std::optional<CellGroups> with_one_less(const CoverPart& part, const CellGroups& grouping, std::size_t steps, Rng& rng);

}  // namespace motet::roles
