#include "motet/roles/catalogue/hierarchy.h"

#include <algorithm>
#include <numeric>
#include <span>

namespace motet::roles {
namespace {

bool lies_in(std::span<const std::uint64_t> small, std::span<const std::uint64_t> large) {
  for (std::size_t w = 0; w < small.size(); ++w) {
    if ((small[w] & ~large[w]) != 0) return false;
  }
  return true;
}

// Smaller roles first; equal ones side by side, in their order.
std::vector<std::uint32_t> by_size(const BitMatrix& roles, const std::vector<std::size_t>& size) {
  std::vector<std::uint32_t> order(roles.rows());
  std::iota(order.begin(), order.end(), 0U);
  std::stable_sort(order.begin(), order.end(), [&](std::uint32_t a, std::uint32_t b) { return size[a] < size[b]; });
  return order;
}

}  // namespace

std::size_t RoleHierarchy::link_count() const {
  std::size_t count = 0;
  for (const auto& within : contains) count += within.size();
  return count;
}

std::size_t RoleHierarchy::repeated_count() const {
  std::size_t count = 0;
  for (std::uint32_t k = 0; k < same_as.size(); ++k) count += is_first(k) ? 0 : 1;
  return count;
}

RoleHierarchy role_hierarchy(const BitMatrix& roles) {
  const std::size_t count = roles.rows();
  std::vector<std::size_t> size(count);
  for (std::size_t k = 0; k < count; ++k) size[k] = roles.count(k);
  const std::vector<std::uint32_t> order = by_size(roles, size);
  RoleHierarchy result;
  result.contains.resize(count);
  result.same_as.resize(count);
  std::iota(result.same_as.begin(), result.same_as.end(), 0U);
  for (std::size_t i = 0; i < count; ++i) {
    const std::uint32_t k = order[i];
    if (size[k] == 0) continue;
    // From the largest below: what lies in a role found already is no direct part.
    std::vector<std::uint32_t>& direct = result.contains[k];
    for (std::size_t j = i; j-- > 0;) {
      const std::uint32_t other = order[j];
      if (size[other] == 0) break;
      if (!result.is_first(other) || !lies_in(roles.row(other), roles.row(k))) continue;
      if (size[other] == size[k]) {
        result.same_as[k] = other;
        direct.clear();
        break;
      }
      const bool is_deeper = std::any_of(direct.begin(), direct.end(), [&](std::uint32_t within) {
        return lies_in(roles.row(other), roles.row(within));
      });
      if (!is_deeper) direct.push_back(other);
    }
    std::sort(direct.begin(), direct.end());
  }
  return result;
}

std::vector<std::size_t> levels(const RoleHierarchy& hierarchy) {
  std::vector<std::size_t> level(hierarchy.contains.size(), 0);
  // A role is above what it contains, so that as many rounds as there are levels settle all.
  for (bool has_changed = true; has_changed;) {
    has_changed = false;
    for (std::size_t k = 0; k < level.size(); ++k) {
      for (const std::uint32_t within : hierarchy.contains[k]) {
        if (level[k] > level[within]) continue;
        level[k] = level[within] + 1;
        has_changed = true;
      }
    }
  }
  return level;
}

}  // namespace motet::roles
