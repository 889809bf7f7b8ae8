// Names for roles that were found, not given: by what tells one from the others.
//
// A permission tells a role when it is likely in it and unlikely elsewhere: with
// u_kd = 1 - beta_kd the score is u_kd * u_kd / sum_j u_jd, the probability of the
// permission in the role times P(role k | permission d) when all roles are as frequent.
// Equal scores are ordered by name. Probabilities count in millionths, so that sums are
// exact and no order of users, permissions or roles changes a name.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "motet/data/bit_matrix.h"
#include "motet/roles/role_model.h"

namespace motet::roles {

constexpr std::size_t longest_role_name = 40;  // code points

// By role: its permissions (beta < 1/2), most telling first, at most `most`.
std::vector<std::vector<std::uint32_t>> telling_permissions(const RoleModel& model, std::size_t most = 8);
std::vector<std::vector<std::uint32_t>> telling_permissions(const BitMatrix& roles,
                                                            std::span<const std::string> permissions,
                                                            std::size_t most = 8);

// Names such as "payroll_read +14" (and 14 more permissions) or, with the word of an
// attribute value, "Finance: payroll_read +14". No two are equal; a role without
// permissions is "no permissions". `words` is empty, or one text per role, "" for none
// (naming_values of attribute_profile.h).
std::vector<std::string> role_names(const BitMatrix& roles, std::span<const std::string> permissions,
                                    std::span<const std::string> words = {});
std::vector<std::string> role_names(const RoleModel& model, std::span<const std::string> words = {});

// The name a role keeps from the last time, when its permissions were `before` and are `now`. One that was made as
// above stays as long as it is true: when the number is not, it is renewed; when a permission it tells is gone, the
// role is called `fresh`, as a new one would be. Any other name was given by hand and stays. What makes a name a made
// one is its form and that the permissions it tells were in the role.
std::string renewed_name(const std::string& name, std::span<const std::string> before, std::span<const std::string> now,
                         const std::string& fresh);

// The later of two equal names gets a number: "name", "name (2)", and is cut for it
// where the two would go beyond longest_role_name.
std::vector<std::string> unique_names(std::vector<std::string> names);

}  // namespace motet::roles
