#include "motet/roles/role_summary.h"

#include <algorithm>
#include <bit>
#include <map>
#include <numeric>
#include <utility>

namespace motet::roles {

ExceptionCount count_exceptions(std::span<const FoundException> exceptions) {
  ExceptionCount count;
  for (const FoundException& exception : exceptions) {
    ++(exception.kind == ExceptionKind::extra ? count.extra : count.missing);
  }
  return count;
}

std::vector<UserExceptions> exceptions_by_user(std::span<const FoundException> exceptions) {
  std::map<std::uint32_t, ExceptionCount> of_user;
  for (const FoundException& exception : exceptions) {
    ExceptionCount& count = of_user[exception.user];
    ++(exception.kind == ExceptionKind::extra ? count.extra : count.missing);
  }
  std::vector<UserExceptions> users;
  users.reserve(of_user.size());
  for (const auto& [user, count] : of_user) users.push_back({user, count});
  std::stable_sort(users.begin(), users.end(), [](const UserExceptions& a, const UserExceptions& b) {
    return a.count.extra + a.count.missing > b.count.extra + b.count.missing;
  });
  return users;
}

std::vector<PermissionExceptions> exceptions_by_permission(std::span<const FoundException> exceptions) {
  std::map<std::pair<std::uint32_t, ExceptionKind>, std::vector<std::uint32_t>> users_of;
  for (const FoundException& exception : exceptions) {
    users_of[{exception.permission, exception.kind}].push_back(exception.user);
  }
  std::vector<PermissionExceptions> groups;
  groups.reserve(users_of.size());
  for (auto& [what, users] : users_of) {
    std::sort(users.begin(), users.end());
    groups.push_back({what.first, what.second, std::move(users)});
  }
  std::stable_sort(groups.begin(), groups.end(), [](const PermissionExceptions& a, const PermissionExceptions& b) {
    return a.users.size() > b.users.size();
  });
  return groups;
}

std::vector<RoleOverlap> role_overlaps(const BitMatrix& roles, const BitMatrix& members) {
  const auto shared = [](const BitMatrix& sets, std::size_t a, std::size_t b) {
    return bits_in_common(sets.row(a), sets.row(b));
  };
  std::vector<RoleOverlap> pairs;
  for (std::size_t a = 0; a < roles.rows(); ++a) {
    for (std::size_t b = a + 1; b < roles.rows(); ++b) {
      const std::size_t permissions = shared(roles, a, b);
      if (permissions == 0) continue;
      const bool first_is_inner = roles.count(a) <= roles.count(b);
      const std::size_t inner = first_is_inner ? a : b;
      pairs.push_back({inner, first_is_inner ? b : a, permissions, shared(members, a, b),
                       static_cast<double>(permissions) / static_cast<double>(roles.count(inner))});
    }
  }
  std::stable_sort(pairs.begin(), pairs.end(), [](const RoleOverlap& a, const RoleOverlap& b) {
    return a.contained != b.contained ? a.contained > b.contained : a.shared_permissions > b.shared_permissions;
  });
  return pairs;
}

std::array<std::size_t, 4> count_cells(const BitMatrix& held, const BitMatrix& granted) {
  std::array<std::size_t, 4> count{};
  for (std::size_t n = 0; n < held.rows(); ++n) {
    for (std::size_t w = 0; w < held.words(); ++w) {
      const std::uint64_t h = held.row(n)[w];
      const std::uint64_t g = granted.row(n)[w];
      count[1] += static_cast<std::size_t>(std::popcount(h & ~g));
      count[2] += static_cast<std::size_t>(std::popcount(g & ~h));
      count[3] += static_cast<std::size_t>(std::popcount(h & g));
    }
  }
  count[0] = held.rows() * held.columns() - count[1] - count[2] - count[3];
  return count;
}

std::size_t role_size(const RoleModel& model, std::size_t role) {
  std::size_t size = 0;
  for (std::size_t d = 0; d < model.permission_count(); ++d) size += model.has(role, d) ? 1U : 0U;
  return size;
}

std::vector<std::size_t> roles_by_members(const RoleFit& fit) {
  std::vector<std::size_t> order(fit.model.role_count());
  std::iota(order.begin(), order.end(), 0U);
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return fit.roles[a].members > fit.roles[b].members; });
  return order;
}

GrantCount count_grants(const RoleFit& fit, const BitMatrix& held) {
  const ExceptionCount exceptions = count_exceptions(fit.exceptions);
  const std::size_t grants = held.count();
  return {grants - exceptions.extra, exceptions.missing, exceptions.extra, fit.told.count(),
          static_cast<double>(exceptions.missing)};
}

MemberCount count_members(const BitMatrix& told, const UserPosteriors& users) {
  MemberCount count;
  count.members.assign(told.columns(), 0);
  for (std::size_t n = 0; n < users.user_count(); ++n) {
    count.confidence += users.of(n).front().probability / static_cast<double>(users.user_count());
    count.users_with_role += told.count(n) > 0 ? 1 : 0;
    for_each_bit(told.row(n), [&](std::size_t role) { ++count.members[role]; });
  }
  return count;
}

}  // namespace motet::roles
