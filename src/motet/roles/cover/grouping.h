// Cells of a part dealt out to groups, each of them what one role can cover; and the cheapest way to have fewer groups.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "motet/base/rng.h"
#include "motet/roles/cover/part.h"

namespace motet::roles {

using CellGroups = std::vector<std::uint32_t>;  // by cell of the part: its group, 0, 1, ... without gaps

void shuffle(std::vector<std::uint32_t>& numbers, Rng& rng);

std::size_t group_count(const CellGroups& grouping);

// One group per row, or one per column when these are fewer: both are always possible.
CellGroups lines_of(const CoverPart& part);

// The groups by size, the largest first.
std::vector<std::uint32_t> largest_first(const CellGroups& grouping);

// Deals the cells out anew: groups in the given order, their cells in an order by lot, and every cell goes to the first
// group whose cells are all compatible with it. There are never more groups than before, and sometimes fewer
// (Culberson's iterated greedy colouring).
CellGroups dealt_again(const CoverPart& part, const CellGroups& grouping, const std::vector<std::uint32_t>& order,
                       Rng& rng);

}  // namespace motet::roles
