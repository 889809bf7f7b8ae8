// Roles found on merged data or in an earlier model, as where the EM begins.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "motet/data/names.h"
#include "motet/roles/mac/mac_em.h"
#include "motet/roles/mac/search.h"
#include "motet/roles/mine.h"

namespace motet::roles {

// The search looks at so many users at least, and
constexpr std::size_t searched_users = 2000;
constexpr std::size_t searched_users_a_role = 100;  // so many times the roles

// Roles in the columns of the access data to those of merged data, and back.
BitMatrix compressed(const BitMatrix& roles, const MergedMatrix& data);
BitMatrix expanded(const BitMatrix& roles, const MergedMatrix& data);

bool same_roles(const BitMatrix& one, const BitMatrix& other);  // in any order

// Rows of the access data that the search looks at: all when few of them differ, since equal users cost nothing.
std::vector<std::uint32_t> searched_rows(const MergedMatrix& all, std::size_t roles, Seed seed);

// One number per column; columns of different numbers must not be merged, since equal ones may differ in the kept
// roles, and those of a pair must not share a role. Empty: all may be.
std::vector<std::uint32_t> columns_apart(std::size_t columns, const RoleConstraints& constraints);

// The first `roles` roles of a model in the columns of `permissions`.
BitMatrix roles_of(const RoleModel& model, const NameList& permissions, std::size_t roles);

// Parameters with these roles, made soft where the shape is, and the noise and shares of the state.
std::vector<double> start_of(const MacShape& shape, const BitMatrix& roles, const RoleState& state,
                             std::size_t columns);

// Parameters of a fit, with one noise level, in the columns of other users. Columns that are equal here are so there.
std::vector<double> carried_over(std::span<const double> parameters, std::size_t roles, const MergedMatrix& from,
                                 const MergedMatrix& to);

}  // namespace motet::roles
