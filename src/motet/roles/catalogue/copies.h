// New roles that are kept ones in other clothes.
//
// Where two kept roles must never share a user, a mined role that grants what one of them grants must not stand in for
// it. A new role counts as a kept one when it has all its permissions; or when it has four fifths of them or more, and
// a larger share than of any other kept role that is in a pair.
#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "motet/data/bit_matrix.h"

namespace motet::roles {

using RolePairs = std::vector<std::pair<std::uint32_t, std::uint32_t>>;

inline constexpr double copied_share = 0.8;

// Pairs of all roles that must not share a user, given those of the first `kept` roles: the same, and one for every
// role that counts as one of a pair. The lower number is first, no pair comes twice.
RolePairs pairs_with_copies(const BitMatrix& roles, std::size_t kept, const RolePairs& pairs);

// For each new role that has all permissions of both of a pair: a permission of only the one and one of only the other,
// which no role may have together if that is to end. None where one role of the pair lies in the other.
RolePairs permissions_to_part(const BitMatrix& roles, std::size_t kept, const RolePairs& pairs);

}  // namespace motet::roles
