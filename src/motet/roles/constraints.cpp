#include "motet/roles/constraints.h"

#include <fmt/format.h>

#include <algorithm>

#include "motet/base/error.h"

namespace motet::roles {
namespace {

void require_shape(const RoleConstraints& constraints, const NameList& permissions) {
  const std::size_t roles = constraints.keep_names.size();
  const bool has_rows =
      constraints.keep.rows() == roles && (roles == 0 || constraints.keep.columns() == permissions.size());
  const auto all_below = [](const auto& pairs, std::size_t count) {
    return std::all_of(pairs.begin(), pairs.end(),
                       [&](const auto& pair) { return std::max(pair.first, pair.second) < count; });
  };
  if (!has_rows || !all_below(constraints.never_in_one_role, permissions.size()) ||
      !all_below(constraints.never_with_one_user, roles)) {
    fail(ErrorKind::internal, "the constraints do not have the shape of the access data");
  }
}

void require_own_names(const std::vector<std::string>& names) {
  NameTable seen;
  for (std::size_t k = 0; k < names.size(); ++k) {
    if (seen.id_of(names[k]) != k) {
      fail(ErrorKind::bad_data, fmt::format("two kept roles are called '{}'; give each its own name", names[k]));
    }
  }
}

void require_two_things(const RoleConstraints& constraints, const NameList& permissions) {
  for (const auto& [a, b] : constraints.never_in_one_role) {
    if (a == b) {
      fail(ErrorKind::bad_data, fmt::format("permission '{}' must never share a role with itself; a pair needs two "
                                            "different permissions",
                                            permissions[a]));
    }
  }
  for (const auto& [a, b] : constraints.never_with_one_user) {
    if (a == b) {
      fail(ErrorKind::bad_data, fmt::format("role '{}' must never share a user with itself; a pair needs two "
                                            "different roles",
                                            constraints.keep_names[a]));
    }
  }
}

bool lies_in(const BitMatrix& roles, std::size_t small, std::size_t large) {
  for (std::size_t w = 0; w < roles.words(); ++w) {
    if ((roles.row(small)[w] & ~roles.row(large)[w]) != 0) return false;
  }
  return roles.count(small) > 0;
}

}  // namespace

std::vector<std::string> check_constraints(const RoleConstraints& constraints, const NameList& permissions) {
  require_shape(constraints, permissions);
  const std::vector<std::string>& names = constraints.keep_names;
  const BitMatrix& keep = constraints.keep;
  require_own_names(names);
  require_two_things(constraints, permissions);
  std::vector<std::string> warnings;
  for (std::size_t k = 0; k < names.size(); ++k) {
    for (const auto& [a, b] : constraints.never_in_one_role) {
      if (!keep(k, a) || !keep(k, b)) continue;
      fail(ErrorKind::bad_data, fmt::format("kept role '{}' holds '{}' and '{}', which must never share a role; change "
                                            "the role or leave out the pair",
                                            names[k], permissions[a], permissions[b]));
    }
    const auto row = keep.row(k);
    if (keep.count(k) == 0) warnings.push_back(fmt::format("kept role '{}' has no permissions", names[k]));
    for (std::size_t j = 0; j < k && keep.count(k) != 0; ++j) {
      if (!std::equal(row.begin(), row.end(), keep.row(j).begin())) continue;
      warnings.push_back(fmt::format("kept roles '{}' and '{}' have the same permissions: nothing tells them apart",
                                     names[j], names[k]));
    }
  }
  for (const auto& [a, b] : constraints.never_with_one_user) {
    for (const auto& [small, large] : {std::pair(a, b), std::pair(b, a)}) {
      if (!lies_in(keep, small, large)) continue;
      warnings.push_back(
          fmt::format("kept role '{}' has all permissions of '{}', with which it must never share a user", names[large],
                      names[small]));
    }
  }
  return warnings;
}

}  // namespace motet::roles
