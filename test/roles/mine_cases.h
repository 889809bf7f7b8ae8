// Fits of planted data for tests.
#pragma once

#include <algorithm>
#include <string>
#include <vector>

#include "motet/roles/mine.h"
#include "roles/planted_cases.h"

namespace motet::roles {

// Users u0, u1, ... and permissions p0, p1, ...
inline Access named(const BitMatrix& held) {
  Access access;
  for (std::size_t n = 0; n < held.rows(); ++n) access.users.push_back("u" + std::to_string(n));
  for (std::size_t d = 0; d < held.columns(); ++d) access.permissions.push_back("p" + std::to_string(d));
  access.held = held;
  return access;
}

// Ten users of each of two roles and ten of both, without noise. Permissions 0 to 2 and 3 to 5 are
// held alike by everybody.
inline Access clean_access() {
  std::vector<std::string_view> rows;
  for (const char* row : {"111000", "000111", "111111"}) rows.insert(rows.end(), 10, row);
  return named(bits_of(rows));
}

inline RoleFit mined(const Access& access, std::size_t roles, MineOptions options = {},
                     const RoleConstraints& constraints = {}, const RunContext& run = {}) {
  return mine_roles({&access, nullptr, nullptr}, roles, options, constraints, run);
}

// What chapter 9 does: at most two roles per user.
inline MineOptions two_a_user() {
  MineOptions options{.max_roles_per_user = 2};
  return options;
}

// Roles as sets: their permissions by name, in the order of the alphabet.
inline std::vector<std::vector<std::string>> role_sets(const RoleModel& model) {
  std::vector<std::vector<std::string>> sets;
  for (std::size_t k = 0; k < model.role_count(); ++k) {
    std::vector<std::string> held;
    for (std::size_t d = 0; d < model.permission_count(); ++d) {
      if (model.has(k, d)) held.push_back(model.permissions[d]);
    }
    std::sort(held.begin(), held.end());
    sets.push_back(std::move(held));
  }
  std::sort(sets.begin(), sets.end());
  return sets;
}

inline PlantedAccess chapter9(Chapter9Sources sources, double noise, double set_probability, std::uint64_t seed,
                              std::size_t items = 50) {
  Chapter9Options options;
  options.single_items = options.multiple_items = items;
  options.noise_fraction = noise;
  options.set_probability = set_probability;
  return chapter9_data(chapter9_sources(sources), options, Rng(Seed{seed}));
}

}  // namespace motet::roles
