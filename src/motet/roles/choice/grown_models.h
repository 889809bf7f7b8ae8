// Rounded role models of one, two, three ... roles of some users, each grown from the one before: a quick search, to
// compare numbers of roles and to have a second opinion from users a model has not seen.
#pragma once

#include "motet/roles/mac/search.h"

namespace motet::roles {

struct GrownRange {
  std::size_t settled_from = 1;  // smaller models are only passed through
  std::size_t most = 1;
};

// By number of roles - 1, as far as the search got; at least one when anybody holds anything.
std::vector<RoleModel> grown_models(const BitMatrix& held, const std::vector<std::string>& permissions,
                                    const GrownRange& range, const SearchRules& rules, Rng rng, const RunContext& run);

}  // namespace motet::roles
