// Who joined and who left each role since the last time.
//
// The previous assignments are those that were written then; users and roles are matched by name, roles as role_changes
// has them. Of a user who is new, or gone, that is said apart: joining a role with the firm is not the same as being
// moved into it.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "motet/data/bit_matrix.h"
#include "motet/data/names.h"
#include "motet/roles/changes.h"

namespace motet::roles {

struct AssignedUsers {
  const NameList& users;
  const BitMatrix& roles;  // users x roles of the model
};

struct RoleMembers {
  std::size_t before = 0;
  std::size_t now = 0;
  std::vector<std::string> joined;  // in the order of today's users
  std::vector<std::string> left;    // in the order of the previous users
};

struct MemberChanges {
  std::vector<RoleMembers> roles;  // by current role; of one that appeared all members joined
  std::vector<std::string> users_new;
  std::vector<std::string> users_gone;

  std::size_t joined_count() const;
  std::size_t left_count() const;
};

// Roles that vanished are not counted: whoever had one is told by the role alone.
MemberChanges member_changes(const AssignedUsers& previous, const AssignedUsers& current, const RoleChanges& changes);

}  // namespace motet::roles
