// Which roles of a catalogue one user should have.
//
// A set S of roles costs
//   U |held permissions that no role of S grants| + sum over d granted by S and not held of price_d + |S|,
// U = one_permission being what a permission costs that stays individual. A role costs 1, next to nothing: of sets
// equal otherwise the smaller one wins. This is weighted set cover where what is granted too much is paid once.
//
// The search starts from the better of a greedy choice and the one improved by adding, removing and swapping roles,
// and then branches on the permission that the fewest roles grant. The bound: every permission still open pays U or its
// share of a role that grants it, at least the smallest (1 + over-grants of the role, each shared by all roles that
// have it) / (open permissions of the role). No set costs less, so what the search ends with is the best unless it was
// cut off.
#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "motet/data/bit_matrix.h"

namespace motet::roles {

inline constexpr std::int64_t one_permission = std::int64_t{1} << 20;

// The roles that can serve a user, in the permissions that matter to the user.
struct UserCover {
  BitMatrix wanted;                 // candidates x held permissions that some candidate grants
  BitMatrix surplus;                // candidates x permissions not held that some candidate grants
  std::vector<std::int64_t> price;  // by column of surplus, not negative
  std::vector<std::pair<std::uint32_t, std::uint32_t>> apart;  // candidates of which only one may be chosen
};

struct CheapestSet {
  std::vector<std::uint32_t> chosen;  // candidates, rising
  std::int64_t cost = 0;              // permissions that no candidate grants are not counted
  bool proved = false;                // no set is cheaper
};

CheapestSet cheapest_set(const UserCover& cover, std::size_t most_nodes);

}  // namespace motet::roles
