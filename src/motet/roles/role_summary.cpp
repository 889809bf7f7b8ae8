#include "motet/roles/role_summary.h"

#include <algorithm>
#include <bit>
#include <map>
#include <numeric>

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

MemberCount count_members(const RoleModel& model, const UserPosteriors& users) {
  MemberCount count;
  count.members.assign(model.role_count(), 0);
  for (std::size_t n = 0; n < users.user_count(); ++n) {
    const SetShare& best = users.of(n).front();
    count.confidence += best.probability / static_cast<double>(users.user_count());
    count.users_with_role += model.sets[best.set].empty() ? 0 : 1;
    for (const std::uint32_t role : model.sets[best.set]) ++count.members[role];
  }
  return count;
}

}  // namespace motet::roles
