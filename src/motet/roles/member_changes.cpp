#include "motet/roles/member_changes.h"

namespace motet::roles {
namespace {

std::vector<std::string> missing_from(const NameList& names, const NameTable& table) {
  std::vector<std::string> missing;
  for (std::size_t n = 0; n < names.size(); ++n) {
    if (table.find(names[n]) == NameTable::absent) missing.emplace_back(names[n]);
  }
  return missing;
}

// Users of `these` with the role who do not have it in `those`.
std::vector<std::string> only_here(const AssignedUsers& these, std::size_t role, const AssignedUsers& those,
                                   const NameTable& their_users, std::size_t their_role) {
  std::vector<std::string> only;
  for (std::size_t n = 0; n < these.users.size(); ++n) {
    if (!these.roles(n, role)) continue;
    const std::uint32_t there = their_users.find(these.users[n]);
    if (there == NameTable::absent || !those.roles(there, their_role)) only.emplace_back(these.users[n]);
  }
  return only;
}

std::size_t count_members(const BitMatrix& assignments, std::size_t role) {
  std::size_t count = 0;
  for (std::size_t n = 0; n < assignments.rows(); ++n) count += assignments(n, role) ? 1 : 0;
  return count;
}

}  // namespace

std::size_t MemberChanges::joined_count() const {
  std::size_t count = 0;
  for (const RoleMembers& role : roles) count += role.joined.size();
  return count;
}

std::size_t MemberChanges::left_count() const {
  std::size_t count = 0;
  for (const RoleMembers& role : roles) count += role.left.size();
  return count;
}

MemberChanges member_changes(const AssignedUsers& previous, const AssignedUsers& current, const RoleChanges& changes) {
  const NameTable before(previous.users);
  const NameTable now(current.users);
  MemberChanges result;
  result.users_new = missing_from(current.users, before);
  result.users_gone = missing_from(previous.users, now);
  result.roles.resize(current.roles.columns());
  for (std::size_t k = 0; k < result.roles.size(); ++k) result.roles[k].now = count_members(current.roles, k);
  for (const MatchedRole& role : changes.matched) {
    RoleMembers& members = result.roles[role.current];
    members.before = count_members(previous.roles, role.previous);
    members.joined = only_here(current, role.current, previous, before, role.previous);
    members.left = only_here(previous, role.previous, current, now, role.current);
  }
  for (const std::size_t k : changes.appeared) {
    for (std::size_t n = 0; n < current.users.size(); ++n) {
      if (current.roles(n, k)) result.roles[k].joined.emplace_back(current.users[n]);
    }
  }
  return result;
}

}  // namespace motet::roles
