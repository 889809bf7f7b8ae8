#include "motet/roles/catalogue/check.h"

#include <algorithm>
#include <bit>

namespace motet::roles {
namespace {

using Row = std::span<const std::uint64_t>;

std::size_t count_missing(Row needed, Row there) {
  std::size_t count = 0;
  for (std::size_t w = 0; w < needed.size(); ++w) {
    count += static_cast<std::size_t>(std::popcount(needed[w] & ~there[w]));
  }
  return count;
}

bool is_nearly(std::size_t missing, std::size_t size) {
  return missing > 0 && missing <= std::max<std::size_t>(1, size / 5) && 2 * missing <= size;
}

// What the roles of a user grant, and what at least two of them do.
struct Granted {
  std::vector<std::uint64_t> once;
  std::vector<std::uint64_t> twice;

  Granted(const BitMatrix& assignments, const BitMatrix& roles, std::size_t user)
      : once(roles.words(), 0), twice(roles.words(), 0) {
    for_each_bit(assignments.row(user), [&](std::size_t k) {
      const Row role = roles.row(k);
      for (std::size_t w = 0; w < role.size(); ++w) {
        twice[w] |= once[w] & role[w];
        once[w] |= role[w];
      }
    });
  }
};

void add_member(CheckedRole& role, Row permissions, Row held, const Granted& granted) {
  ++role.members;
  for (std::size_t w = 0; w < permissions.size(); ++w) {
    const std::uint64_t alone = permissions[w] & ~granted.twice[w] & held[w];
    role.only_here += static_cast<std::size_t>(std::popcount(alone));
    role.newly_granted += static_cast<std::size_t>(std::popcount(permissions[w] & ~held[w]));
  }
}

void count_user(const Granted& granted, Row held, const std::vector<double>& risk, GrantCount& count) {
  for (std::size_t w = 0; w < held.size(); ++w) {
    count.covered += static_cast<std::size_t>(std::popcount(held[w] & granted.once[w]));
    count.individual += static_cast<std::size_t>(std::popcount(held[w] & ~granted.once[w]));
    const std::uint64_t fresh = granted.once[w] & ~held[w];
    count.newly_granted += static_cast<std::size_t>(std::popcount(fresh));
    for (std::uint64_t rest = fresh; rest != 0; rest &= rest - 1) {
      count.risk += risk.empty() ? 1.0 : risk[w * 64 + static_cast<std::size_t>(std::countr_zero(rest))];
    }
  }
}

void look_at_users(const BitMatrix& held, const BitMatrix& assignments, const BitMatrix& roles,
                   const std::vector<double>& risk, CatalogueCheck& check) {
  for (std::uint32_t n = 0; n < held.rows(); ++n) {
    const Granted granted(assignments, roles, n);
    count_user(granted, held.row(n), risk, check.grants);
    std::size_t own = 0;
    for_each_bit(assignments.row(n), [&](std::size_t k) {
      ++own;
      add_member(check.roles[k], roles.row(k), held.row(n), granted);
    });
    check.grants.assignments += own;
    if (own == 0 && held.count(n) > 0) check.users_without_role.push_back(n);
    for_each_bit(held.row(n), [&](std::size_t d) { ++check.holders[d]; });
  }
}

void look_at_roles(const BitMatrix& held, const BitMatrix& roles, CatalogueCheck& check) {
  for (std::size_t k = 0; k < roles.rows(); ++k) {
    CheckedRole& role = check.roles[k];
    role.permissions = roles.count(k);
    for (std::size_t n = 0; n < held.rows() && role.permissions > 0; ++n) {
      const std::size_t missing = count_missing(roles.row(k), held.row(n));
      role.exact += missing == 0 ? 1 : 0;
      role.nearly += is_nearly(missing, role.permissions) ? 1 : 0;
    }
  }
  std::vector<bool> is_granted(roles.columns(), false);
  for (std::size_t k = 0; k < roles.rows(); ++k)
    for_each_bit(roles.row(k), [&](std::size_t d) { is_granted[d] = true; });
  for (std::uint32_t d = 0; d < roles.columns(); ++d) {
    if (!is_granted[d] && check.holders[d] > 0) check.bare_permissions.push_back(d);
  }
}

}  // namespace

GrantCount count_grants(const BitMatrix& held, const BitMatrix& assignments, const BitMatrix& roles,
                        const std::vector<double>& risk) {
  GrantCount count;
  for (std::size_t n = 0; n < held.rows(); ++n) {
    count_user(Granted(assignments, roles, n), held.row(n), risk, count);
    count.assignments += assignments.count(n);
  }
  return count;
}

CatalogueCheck check_catalogue(const BitMatrix& held, const BitMatrix& assignments, const BitMatrix& roles,
                               const std::vector<double>& risk) {
  CatalogueCheck check;
  check.roles.resize(roles.rows());
  check.holders.assign(held.columns(), 0);
  check.hierarchy = role_hierarchy(roles);
  look_at_users(held, assignments, roles, risk, check);
  look_at_roles(held, roles, check);
  return check;
}

std::vector<FoundException> remaining_exceptions(const BitMatrix& held, const BitMatrix& granted) {
  require_same_shape(held, granted);
  std::vector<FoundException> exceptions;
  for (std::uint32_t n = 0; n < held.rows(); ++n) {
    for (std::size_t w = 0; w < held.words(); ++w) {
      const std::uint64_t h = held.row(n)[w];
      for (std::uint64_t rest = h ^ granted.row(n)[w]; rest != 0; rest &= rest - 1) {
        const auto bit = static_cast<std::size_t>(std::countr_zero(rest));
        const bool is_held = (h >> bit & 1U) != 0;
        exceptions.push_back({n, static_cast<std::uint32_t>(w * 64 + bit),
                              is_held ? ExceptionKind::extra : ExceptionKind::missing, 1.0});
      }
    }
  }
  return exceptions;
}

}  // namespace motet::roles
