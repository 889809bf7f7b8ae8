// Roles reshaped so that what they newly grant has a price (least privilege).
//
//   cost = extra + price * missing
// extra: cells held without a role; missing: granted, but not held. Two steps take turns and never raise the cost:
// every user gets, drops or swaps a role while that lowers their cost, and every role takes up or gives away a
// permission by what its members then hold without it. The price rises from 1 by doubling to the one asked for, so
// that a role first loses what few of its members hold, before members lose the role; or it is the one asked for from
// the beginning, which suits roles that grant little amiss. With an infinite price nothing is granted that is not held.
#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "motet/base/run.h"
#include "motet/roles/baselines/factorization.h"

namespace motet::roles {

struct PriceRules {
  double price = 1.0;
  bool rises = true;                                                           // from 1
  std::size_t most_roles = 3;                                                  // of a user
  std::size_t frozen = 0;                                                      // the first roles stay as they are
  std::vector<std::pair<std::uint32_t, std::uint32_t>> never_in_one_role{};    // permissions
  std::vector<std::pair<std::uint32_t, std::uint32_t>> never_with_one_user{};  // roles
};

Factorization priced_roles(const BitMatrix& held, Factorization start, const PriceRules& rules, const RunContext& run);

// Infinite where anything is granted at an infinite price.
double cost_of_roles(const BitMatrix& held, const Factorization& factors, double price);

// "3.5" or "never", which is infinite. Throws Error{usage} for anything else.
double parse_over_grant_cost(const std::string& text);

}  // namespace motet::roles
