// Roles and those who have them in a few counts.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "motet/roles/mine.h"

namespace motet::roles {

struct ExceptionCount {
  std::size_t extra = 0;
  std::size_t missing = 0;
};
ExceptionCount count_exceptions(std::span<const FoundException> exceptions);

struct UserExceptions {
  std::uint32_t user = 0;
  ExceptionCount count = {};
};
// Users that have any, those with most first.
std::vector<UserExceptions> exceptions_by_user(std::span<const FoundException> exceptions);

// Cells by [held + 2 * granted].
std::array<std::size_t, 4> count_cells(const BitMatrix& held, const BitMatrix& granted);

// Permissions of the rounded role.
std::size_t role_size(const RoleModel& model, std::size_t role);

// Numbers of the roles, most members first.
std::vector<std::size_t> roles_by_members(const RoleFit& fit);

// By the most probable set of each user.
struct MemberCount {
  std::size_t users_with_role = 0;
  double confidence = 0.0;           // mean probability of those sets
  std::vector<std::size_t> members;  // by role
};
MemberCount count_members(const RoleModel& model, const UserPosteriors& users);

}  // namespace motet::roles
