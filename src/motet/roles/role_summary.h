// Roles and those who have them in a few counts.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "motet/roles/grant_count.h"
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

// Exceptions of one kind that concern the same permission.
struct PermissionExceptions {
  std::uint32_t permission = 0;
  ExceptionKind kind = ExceptionKind::extra;
  std::vector<std::uint32_t> users;
};
// Those of most users first.
std::vector<PermissionExceptions> exceptions_by_permission(std::span<const FoundException> exceptions);

// What the smaller of two roles has in common with the larger one.
struct RoleOverlap {
  std::size_t inner = 0;  // the role with fewer permissions, and with equal numbers the first
  std::size_t outer = 0;
  std::size_t shared_permissions = 0;
  std::size_t shared_members = 0;
  double contained = 0.0;  // share of the inner role's permissions that the outer one has
};
// Pairs of roles that share permissions, those most contained first, then those that share most. Rows of `roles` are
// permissions, rows of `members` the users of a role.
std::vector<RoleOverlap> role_overlaps(const BitMatrix& roles, const BitMatrix& members);

// Cells by [held + 2 * granted].
std::array<std::size_t, 4> count_cells(const BitMatrix& held, const BitMatrix& granted);

// Permissions of the rounded role.
std::size_t role_size(const RoleModel& model, std::size_t role);

// Numbers of the roles, most members first.
std::vector<std::size_t> roles_by_members(const RoleFit& fit);

// What the told roles do to the permissions that are held.
GrantCount count_grants(const RoleFit& fit, const BitMatrix& held);

struct MemberCount {
  std::size_t users_with_role = 0;
  double confidence = 0.0;           // mean probability of their most probable sets
  std::vector<std::size_t> members;  // by role
};
MemberCount count_members(const BitMatrix& told, const UserPosteriors& users);

}  // namespace motet::roles
