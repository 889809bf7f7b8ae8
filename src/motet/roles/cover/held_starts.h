// Roles that are wholly held by whoever has them, as where roles with a price on over-grants begin.
#pragma once

#include <cstddef>
#include <vector>

#include "motet/base/run.h"
#include "motet/roles/priced_roles.h"

namespace motet::roles {

// The kept roles, and then so many that cover most of what is held with nothing beyond it (coverage_curve.h): those of
// the exact cover, and those and others; empty ones where fewer cover everything. Of a pair of permissions that no role
// may hold both a new role has the first only. A user with more roles than they may have begins with none.
// No starts where there are too many cells to cover in seconds.
std::vector<Factorization> held_starts(const BitMatrix& held, const BitMatrix& kept, std::size_t roles,
                                       const PriceRules& rules, const RunContext& run);

}  // namespace motet::roles
