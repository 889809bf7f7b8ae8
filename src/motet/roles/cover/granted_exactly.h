// Which users may have a role without being granted what they do not hold, and which of these roles they need.
#pragma once

#include <cstdint>
#include <vector>

#include "motet/base/run.h"
#include "motet/data/bit_matrix.h"

namespace motet::roles {

// By role: the rows that hold all of it, rising. A role that grants nothing has none.
std::vector<std::vector<std::uint32_t>> possible_members(const BitMatrix& held, const BitMatrix& roles,
                                                         const RunContext& run);

// Rows x roles: each row has roles that hold nothing else, together as much of the row as all such roles, and none that
// it could do without. The role that adds most comes first, of equals the first.
BitMatrix granted_exactly(const BitMatrix& held, const BitMatrix& roles, const RunContext& run);

}  // namespace motet::roles
