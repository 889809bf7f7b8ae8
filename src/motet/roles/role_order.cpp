#include "motet/roles/role_order.h"

#include <algorithm>
#include <map>
#include <numeric>

namespace motet::roles {
namespace {

struct Group {
  std::vector<std::uint32_t> roles;
  std::vector<std::uint32_t> users;
};

std::vector<Group> groups_of(const BitMatrix& assignments) {
  std::map<std::vector<std::uint32_t>, std::vector<std::uint32_t>> users_of;
  for (std::size_t n = 0; n < assignments.rows(); ++n) {
    users_of[ones_of(assignments, n)].push_back(static_cast<std::uint32_t>(n));
  }
  std::vector<Group> groups;
  groups.reserve(users_of.size());
  for (auto& [set, users] : users_of) groups.push_back({set, std::move(users)});
  std::stable_sort(groups.begin(), groups.end(), [](const Group& a, const Group& b) {
    if (a.roles.empty() != b.roles.empty()) return b.roles.empty();
    return a.users.size() > b.users.size();
  });
  return groups;
}

// The largest count first.
void sort_by(std::vector<std::uint32_t>& items, const std::vector<std::size_t>& count) {
  std::stable_sort(items.begin(), items.end(), [&](std::uint32_t a, std::uint32_t b) { return count[a] > count[b]; });
}

std::vector<std::size_t> row_counts(const BitMatrix& bits) {
  std::vector<std::size_t> counts(bits.rows());
  for (std::size_t r = 0; r < bits.rows(); ++r) counts[r] = bits.count(r);
  return counts;
}

std::vector<std::size_t> column_counts(const BitMatrix& bits) {
  std::vector<std::size_t> counts(bits.columns(), 0);
  for (std::size_t r = 0; r < bits.rows(); ++r) for_each_bit(bits.row(r), [&](std::size_t c) { ++counts[c]; });
  return counts;
}

// Roles as the groups bring them up, and after them those nobody has.
std::vector<std::uint32_t> role_sequence(const std::vector<Group>& groups, std::size_t roles) {
  std::vector<std::uint32_t> sequence;
  std::vector<bool> is_seen(roles, false);
  const auto add = [&](std::uint32_t k) {
    if (!is_seen[k]) sequence.push_back(k);
    is_seen[k] = true;
  };
  for (const Group& group : groups) std::for_each(group.roles.begin(), group.roles.end(), add);
  for (std::uint32_t k = 0; k < roles; ++k) add(k);
  return sequence;
}

}  // namespace

std::vector<std::uint32_t> ones_of(const BitMatrix& bits, std::size_t row) {
  std::vector<std::uint32_t> ones;
  for_each_bit(bits.row(row), [&](std::size_t c) { ones.push_back(static_cast<std::uint32_t>(c)); });
  return ones;
}

RoleOrder role_order(const BitMatrix& held, const BitMatrix& roles, const BitMatrix& assignments) {
  RoleOrder order;
  std::vector<Group> groups = groups_of(assignments);
  const std::vector<std::size_t> held_by_user = row_counts(held);
  for (Group& group : groups) {
    sort_by(group.users, held_by_user);
    order.users.insert(order.users.end(), group.users.begin(), group.users.end());
    order.user_bands.push_back({group.roles, order.users.size()});
  }

  const std::vector<std::size_t> holders = column_counts(held);
  std::vector<bool> is_placed(roles.columns(), false);
  const auto place = [&](std::vector<std::uint32_t> permissions, std::vector<std::uint32_t> band) {
    if (permissions.empty()) return;
    sort_by(permissions, holders);
    order.permissions.insert(order.permissions.end(), permissions.begin(), permissions.end());
    order.permission_bands.push_back({std::move(band), order.permissions.size()});
  };
  for (const std::uint32_t k : role_sequence(groups, roles.rows())) {
    std::vector<std::uint32_t> first_here;
    for_each_bit(roles.row(k), [&](std::size_t d) {
      if (!is_placed[d]) first_here.push_back(static_cast<std::uint32_t>(d));
      is_placed[d] = true;
    });
    place(std::move(first_here), {k});
  }
  std::vector<std::uint32_t> rest;
  for (std::uint32_t d = 0; d < roles.columns(); ++d) {
    if (!is_placed[d]) rest.push_back(d);
  }
  place(std::move(rest), {});
  return order;
}

}  // namespace motet::roles
