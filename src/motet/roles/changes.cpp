#include "motet/roles/changes.h"

#include <algorithm>
#include <iterator>
#include <numeric>
#include <span>

#include "motet/base/assignment.h"
#include "motet/data/names.h"
#include "motet/roles/jaccard.h"
#include "motet/roles/naming.h"

namespace motet::roles {
namespace {

// Of a pair below the limit; the assignment may match such pairs in any way.
constexpr double no_gain = 0.0;

std::vector<std::string> missing_in(const std::vector<std::string>& names, const NameTable& table) {
  std::vector<std::string> missing;
  for (const std::string& name : names) {
    if (table.find(name) == NameTable::absent) missing.push_back(name);
  }
  return missing;
}

// Rounded roles over the permissions both models know, numbered as in `common`.
BitMatrix common_part(const RoleModel& model, const NameTable& common) {
  BitMatrix part(model.role_count(), common.names().size());
  for (std::size_t d = 0; d < model.permission_count(); ++d) {
    const std::uint32_t column = common.find(model.permissions[d]);
    if (column == NameTable::absent) continue;
    for (std::size_t k = 0; k < model.role_count(); ++k) {
      if (model.has(k, d)) part.set(k, column);
    }
  }
  return part;
}

// Permissions of a role that the other role lacks.
std::vector<std::string> only_in(const RoleModel& model, std::size_t role, const RoleModel& other,
                                 std::size_t other_role, const NameTable& other_names) {
  std::vector<std::string> only;
  for (std::size_t d = 0; d < model.permission_count(); ++d) {
    if (!model.has(role, d)) continue;
    const std::uint32_t same = other_names.find(model.permissions[d]);
    if (same == NameTable::absent || !other.has(other_role, same)) only.push_back(model.permissions[d]);
  }
  return only;
}

bool is_empty(const RoleModel& model, std::size_t role) {
  for (std::size_t d = 0; d < model.permission_count(); ++d) {
    if (model.has(role, d)) return false;
  }
  return true;
}

std::vector<std::string> permissions_of(const RoleModel& model, std::size_t role) {
  std::vector<std::string> names;
  for (std::size_t d = 0; d < model.permission_count(); ++d) {
    if (model.has(role, d)) names.push_back(model.permissions[d]);
  }
  return names;
}

std::vector<std::string> permissions_before(const MatchedRole& role, const std::vector<std::string>& now) {
  std::vector<std::string> names = role.removed;
  std::copy_if(now.begin(), now.end(), std::back_inserter(names), [&](const std::string& name) {
    return std::find(role.added.begin(), role.added.end(), name) == role.added.end();
  });
  return names;
}

}  // namespace

RoleChanges role_changes(const RoleModel& previous, const RoleModel& current, double least_similarity) {
  const NameTable before{NameList(previous.permissions)};
  const NameTable after{NameList(current.permissions)};
  NameTable common;
  for (const std::string& name : current.permissions) {
    if (before.find(name) != NameTable::absent) common.id_of(name);
  }
  const BitMatrix old_roles = common_part(previous, common);
  const BitMatrix new_roles = common_part(current, common);
  const std::size_t size = std::max(old_roles.rows(), new_roles.rows());
  std::vector<double> similarity(size * size, no_gain);
  for (std::size_t i = 0; i < new_roles.rows(); ++i) {
    for (std::size_t j = 0; j < old_roles.rows(); ++j) {
      // Two roles made of what only their own model knows have nothing in common.
      const bool is_unknown =
          new_roles.count(i) + old_roles.count(j) == 0 && !(is_empty(current, i) && is_empty(previous, j));
      const double shared = is_unknown ? no_gain : jaccard(new_roles.row(i), old_roles.row(j));
      if (shared >= least_similarity) similarity[i * size + j] = shared;
    }
  }
  const std::vector<std::size_t> match = best_assignment(similarity, size);

  RoleChanges changes;
  std::vector<bool> is_kept(previous.role_count(), false);
  for (std::size_t i = 0; i < current.role_count(); ++i) {
    const std::size_t j = match[i];
    const double shared = similarity[i * size + j];
    if (j >= previous.role_count() || shared == no_gain) {
      changes.appeared.push_back(i);
      continue;
    }
    is_kept[j] = true;
    changes.matched.push_back({j, i, previous.roles[j], shared, only_in(current, i, previous, j, before),
                               only_in(previous, j, current, i, after)});
  }
  for (std::size_t j = 0; j < previous.role_count(); ++j) {
    if (!is_kept[j]) changes.vanished.push_back(previous.roles[j]);
  }
  changes.permissions_added = missing_in(current.permissions, before);
  changes.permissions_removed = missing_in(previous.permissions, after);
  return changes;
}

std::vector<std::string> carried_names(const RoleModel& current, const RoleChanges& changes) {
  // Kept names go first, so that a number falls on the new one.
  std::vector<std::string> names;
  std::vector<std::size_t> roles;
  for (const MatchedRole& role : changes.matched) {
    const std::vector<std::string> now = permissions_of(current, role.current);
    names.push_back(renewed_name(role.previous_name, permissions_before(role, now), now, current.roles[role.current]));
    roles.push_back(role.current);
  }
  for (const std::size_t role : changes.appeared) {
    names.push_back(current.roles[role]);
    roles.push_back(role);
  }
  names = unique_names(std::move(names));
  std::vector<std::string> carried(current.role_count());
  for (std::size_t i = 0; i < names.size(); ++i) carried[roles[i]] = names[i];
  return carried;
}

}  // namespace motet::roles
