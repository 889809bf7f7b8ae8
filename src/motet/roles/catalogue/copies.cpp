#include "motet/roles/catalogue/copies.h"

#include <algorithm>
#include <bit>
#include <set>

namespace motet::roles {
namespace {

std::size_t shared(const BitMatrix& roles, std::size_t a, std::size_t b) {
  std::size_t count = 0;
  for (std::size_t w = 0; w < roles.words(); ++w) {
    count += static_cast<std::size_t>(std::popcount(roles.row(a)[w] & roles.row(b)[w]));
  }
  return count;
}

bool has_all(const BitMatrix& roles, std::size_t role, std::size_t of) {
  const std::size_t size = roles.count(of);
  return size > 0 && shared(roles, role, of) == size;
}

std::vector<std::uint32_t> paired_roles(const RolePairs& pairs) {
  std::set<std::uint32_t> all;
  for (const auto& [a, b] : pairs) all.insert({a, b});
  return {all.begin(), all.end()};
}

std::vector<std::uint32_t> counts_as(const BitMatrix& roles, std::size_t role,
                                     const std::vector<std::uint32_t>& paired) {
  std::vector<std::uint32_t> found;
  double best_share = 0.0;
  std::uint32_t best = 0;
  for (const std::uint32_t k : paired) {
    if (has_all(roles, role, k)) found.push_back(k);
    const std::size_t size = roles.count(k);
    const double share = size == 0 ? 0.0 : static_cast<double>(shared(roles, role, k)) / static_cast<double>(size);
    if (share > best_share) {
      best_share = share;
      best = k;
    }
  }
  if (found.empty() && best_share >= copied_share) found.push_back(best);
  return found;
}

// The first permission of one role that the other lacks; the number of permissions where there is none.
std::size_t first_only_in(const BitMatrix& roles, std::size_t role, std::size_t other) {
  for (std::size_t d = 0; d < roles.columns(); ++d) {
    if (roles(role, d) && !roles(other, d)) return d;
  }
  return roles.columns();
}

}  // namespace

RolePairs pairs_with_copies(const BitMatrix& roles, std::size_t kept, const RolePairs& pairs) {
  const std::vector<std::uint32_t> paired = paired_roles(pairs);
  std::vector<std::vector<std::uint32_t>> counted(kept);  // by kept role: itself and its copies
  for (std::uint32_t k = 0; k < kept; ++k) counted[k].push_back(k);
  for (std::uint32_t n = static_cast<std::uint32_t>(kept); n < roles.rows(); ++n) {
    for (const std::uint32_t k : counts_as(roles, n, paired)) counted[k].push_back(n);
  }
  RolePairs all;
  for (const auto& [a, b] : pairs) {
    for (const std::uint32_t one : counted[a]) {
      for (const std::uint32_t other : counted[b]) {
        if (one != other) all.emplace_back(std::minmax(one, other));
      }
    }
  }
  std::sort(all.begin(), all.end());
  all.erase(std::unique(all.begin(), all.end()), all.end());
  return all;
}

RolePairs permissions_to_part(const BitMatrix& roles, std::size_t kept, const RolePairs& pairs) {
  RolePairs parted;
  for (const auto& [a, b] : pairs) {
    const std::size_t of_a = first_only_in(roles, a, b);
    const std::size_t of_b = first_only_in(roles, b, a);
    if (std::max(of_a, of_b) == roles.columns()) continue;
    for (std::size_t n = kept; n < roles.rows(); ++n) {
      if (!has_all(roles, n, a) || !has_all(roles, n, b)) continue;
      parted.emplace_back(static_cast<std::uint32_t>(of_a), static_cast<std::uint32_t>(of_b));
      break;
    }
  }
  return parted;
}

}  // namespace motet::roles
