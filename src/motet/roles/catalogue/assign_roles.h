// The roles of a given catalogue that fit each user best: no role is new, none is changed.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "motet/base/run.h"
#include "motet/data/bit_matrix.h"

namespace motet::roles {

using NumberPair = std::pair<std::uint32_t, std::uint32_t>;

// Roles as they are given, and pairs of them that no user may have both.
struct RoleCatalogue {
  std::vector<std::string> names;
  BitMatrix permissions;  // names.size() x permissions
  std::vector<NumberPair> never_with_one_user;

  std::size_t size() const { return names.size(); }
};

struct AssignRule {
  // What a permission costs that a role would newly grant, where one that stays individual costs 1; infinite: none is
  // ever granted.
  double over_grant_cost = std::numeric_limits<double>::infinity();
  std::vector<double> risk;       // by permission: its over-grant costs so many times that; empty: 1 each
  std::size_t most_nodes = 2000;  // of the search for one user, after which the best set found is taken
};

struct RolesOfUsers {
  BitMatrix assignments;     // users x roles
  std::size_t unproved = 0;  // users for whom the search was cut off: a better set may exist
};

// The cheapest set of roles of each user (cheapest_set.h): fewest permissions left individual, over-grants at their
// price, then fewest roles. A pair that may not come together does not.
RolesOfUsers assign_roles(const BitMatrix& held, const RoleCatalogue& catalogue, const AssignRule& rule,
                          const RunContext& run);

}  // namespace motet::roles
