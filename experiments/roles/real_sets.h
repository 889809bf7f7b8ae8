// Public access data, and how predictions on them are compared.
//
// Files in the folder roles/ of the data: NAME.txt with a user and a permission per line, or
// mushroom.dat with the items of one row per line, closed by 0.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "experiments/roles/synthetic.h"
#include "motet/roles/evaluate.h"

namespace motet::roles {

// None when the folder is there but the file is not; an error as for all public data when
// there is no folder.
std::optional<Access> read_real_set(const ExperimentContext& context, const std::string& file);

struct UserSplit {
  std::vector<std::uint32_t> train, test;  // rising
};
UserSplit split_users(std::size_t users, std::size_t train, Rng rng);

// `count` permissions with the most holders, most first, of equals the earlier.
std::vector<std::uint32_t> commonest_permissions(const BitMatrix& held, std::size_t count);

// Section 9.4.2: of the 1000 commonest permissions (in that order) the first and the second
// half joined cell by cell are the structure; noise replaces cells by fair random bits.
struct ModifiedSet {
  Access access;    // with noise
  BitMatrix clean;  // users x permissions
};
ModifiedSet modified_set(const Access& access, double noise, Rng rng);

Access with_permissions(const Access& access, std::span<const std::uint32_t> permissions);

// How many roles may be asked for: never more than there are distinct users.
std::size_t possible_roles(const ExperimentContext& context, const Access& access, std::size_t roles);

}  // namespace motet::roles
