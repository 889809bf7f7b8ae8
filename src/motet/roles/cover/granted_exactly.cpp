#include "motet/roles/cover/granted_exactly.h"

#include <algorithm>

namespace motet::roles {
namespace {

constexpr std::size_t roles_a_task = 64;
constexpr std::size_t covered_a_task = 256;

bool is_within(std::span<const std::uint64_t> inner, std::span<const std::uint64_t> outer) {
  for (std::size_t w = 0; w < inner.size(); ++w) {
    if ((inner[w] & ~outer[w]) != 0) return false;
  }
  return true;
}

// Bits of `role` that `left` still has.
std::size_t common_count(std::span<const std::uint64_t> role, std::span<const std::uint64_t> left) {
  std::size_t count = 0;
  for (std::size_t w = 0; w < role.size(); ++w) count += static_cast<std::size_t>(std::popcount(role[w] & left[w]));
  return count;
}

// The roles that a row needs, of those it may have.
std::vector<std::uint32_t> needed_roles(std::span<const std::uint64_t> row, const BitMatrix& roles,
                                        const std::vector<std::uint32_t>& possible) {
  std::vector<std::uint64_t> left(row.begin(), row.end());
  std::vector<std::uint32_t> chosen;
  for (;;) {
    std::size_t best = 0;
    std::uint32_t role = 0;
    for (const std::uint32_t k : possible) {
      const std::size_t gain = common_count(roles.row(k), left);
      if (gain <= best) continue;
      best = gain;
      role = k;
    }
    if (best == 0) break;
    chosen.push_back(role);
    for (std::size_t w = 0; w < left.size(); ++w) left[w] &= ~roles.row(role)[w];
  }
  // What the later ones made needless goes, the first chosen last.
  for (std::size_t i = chosen.size(); i-- > 0 && chosen.size() > 1;) {
    std::vector<std::uint64_t> alone(roles.row(chosen[i]).begin(), roles.row(chosen[i]).end());
    for (const std::uint32_t k : chosen) {
      if (k == chosen[i]) continue;
      for (std::size_t w = 0; w < alone.size(); ++w) alone[w] &= ~roles.row(k)[w];
    }
    if (std::all_of(alone.begin(), alone.end(), [](std::uint64_t word) { return word == 0; })) {
      chosen.erase(chosen.begin() + static_cast<std::ptrdiff_t>(i));
    }
  }
  return chosen;
}

}  // namespace

std::vector<std::vector<std::uint32_t>> possible_members(const BitMatrix& held, const BitMatrix& roles,
                                                         const RunContext& run) {
  std::vector<std::vector<std::uint32_t>> members(roles.rows());
  const double work = static_cast<double>(roles.rows()) * static_cast<double>(held.rows());
  for_each_task(
      (roles.rows() + roles_a_task - 1) / roles_a_task, threads_for(run.threads, work), [&](std::size_t task) {
        for (std::size_t k = task * roles_a_task; k < std::min(roles.rows(), (task + 1) * roles_a_task); ++k) {
          if (roles.count(k) == 0) continue;
          for (std::uint32_t n = 0; n < held.rows(); ++n) {
            if (is_within(roles.row(k), held.row(n))) members[k].push_back(n);
          }
        }
      });
  return members;
}

BitMatrix granted_exactly(const BitMatrix& held, const BitMatrix& roles, const RunContext& run) {
  std::vector<std::vector<std::uint32_t>> possible(held.rows());
  const std::vector<std::vector<std::uint32_t>> members = possible_members(held, roles, run);
  for (std::uint32_t k = 0; k < members.size(); ++k) {
    for (const std::uint32_t n : members[k]) possible[n].push_back(k);
  }
  BitMatrix assignments(held.rows(), roles.rows());
  const double work = static_cast<double>(held.rows()) * static_cast<double>(held.words());
  for_each_task((held.rows() + covered_a_task - 1) / covered_a_task, threads_for(run.threads, 100.0 * work),
                [&](std::size_t task) {
                  for (std::size_t n = task * covered_a_task; n < std::min(held.rows(), (task + 1) * covered_a_task);
                       ++n) {
                    for (const std::uint32_t k : needed_roles(held.row(n), roles, possible[n])) assignments.set(n, k);
                  }
                });
  return assignments;
}

}  // namespace motet::roles
