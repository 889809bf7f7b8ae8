#include "motet/roles/sparse/role_candidates.h"

#include <gtest/gtest.h>

#include <cmath>

#include "roles/planted_cases.h"
#include "roles/sparse/sparse_cases.h"
#include "support/threads.h"

namespace motet::roles::role_candidates_test {
namespace {

CandidateGain gain_for(const SparseRows& held, std::size_t roles) {
  const double density =
      static_cast<double>(held.places.size()) / (static_cast<double>(held.rows()) * static_cast<double>(held.columns));
  return {std::log(0.9 / density), std::log((1.0 - density) / 0.1), std::log(static_cast<double>(roles) + 1.0)};
}

std::size_t planted_among(const std::vector<Permissions>& candidates, const SparsePlanted& planted) {
  std::size_t count = 0;
  for (std::size_t k = 0; k < planted.roles.rows(); ++k) {
    const Permissions role(planted.roles[k].begin(), planted.roles[k].end());
    count += static_cast<std::size_t>(std::count(candidates.begin(), candidates.end(), role));
  }
  return count;
}

// Roles without common permissions are read off associations, those with many from pairs of holders.
TEST(RoleCandidates, HoldThePlantedRoles) {
  for (const SparsePlan& plan : {SparsePlan{1500, 900, 30, 12, 3, 0.05}, SparsePlan{1200, 120, 20, 24, 3, 0.05}}) {
    const SparsePlanted planted = planted_sparse(plan, Seed{1});
    const SparseRows held = sparse_rows(planted.access.held);
    const AccessView view(held);
    const CandidateGain gain = gain_for(held, plan.roles);
    const std::vector<Permissions> all = role_candidates(view, gain, Rng(Seed{2}), {});
    EXPECT_EQ(planted_among(all, planted), plan.roles);
    EXPECT_LT(all.size(), 10 * plan.roles);
    std::vector<std::uint8_t> granted;
    const std::vector<Permissions> chosen = choose_candidates(view, all, plan.roles, gain, granted, {});
    EXPECT_EQ(chosen.size(), plan.roles);
    EXPECT_EQ(planted_among(chosen, planted), plan.roles);
  }
}

TEST(RoleCandidates, WhatIsGrantedAlreadyIsWorthNothing) {
  const SparsePlanted planted = planted_sparse({300, 200, 8, 12, 2, 0.02}, Seed{3});
  const SparseRows held = sparse_rows(planted.access.held);
  const AccessView view(held);
  std::vector<std::uint8_t> none;
  std::vector<std::uint8_t> all(held.places.size(), 1);
  std::vector<Permissions> roles;
  for (std::size_t k = 0; k < 8; ++k) roles.emplace_back(planted.roles[k].begin(), planted.roles[k].end());
  const CandidateGain gain = gain_for(held, 8);
  EXPECT_EQ(choose_candidates(view, roles, 8, gain, none, {}).size(), 8U);
  EXPECT_TRUE(choose_candidates(view, roles, 8, gain, all, {}).empty());
  const auto granted = std::count(none.begin(), none.end(), std::uint8_t{1});
  EXPECT_GT(static_cast<double>(granted), 0.9 * static_cast<double>(held.places.size()));
  const std::vector<Permissions> left = leftover_rows(view, none, 1000);
  ASSERT_GT(left.size(), 2U);
  EXPECT_GE(left[0].size(), left[1].size());
  EXPECT_TRUE(leftover_rows(view, all, 1000).empty());
}

TEST(RoleCandidates, SameOnAnyNumberOfThreads) {
  const SparsePlanted planted = planted_sparse({400, 200, 10, 12, 3, 0.1}, Seed{4});
  const SparseRows held = sparse_rows(planted.access.held);
  const AccessView view(held);
  const CandidateGain gain = gain_for(held, 10);
  StartedThreads two(2);
  const std::vector<Permissions> one = role_candidates(view, gain, Rng(Seed{2}), Threads{1});
  EXPECT_EQ(role_candidates(view, gain, Rng(Seed{2}), two), one);
  std::vector<std::uint8_t> granted[2];
  EXPECT_EQ(choose_candidates(view, one, 10, gain, granted[0], two),
            choose_candidates(view, one, 10, gain, granted[1], Threads{1}));
  EXPECT_EQ(granted[0], granted[1]);
}

TEST(RoleCandidates, MayBeOnePermissionOfManyButNotOfTwo) {
  const SparseRows held = sparse_rows(bits_of({"100", "010", "001", "100", "100"}));
  EXPECT_EQ(role_candidates(AccessView(held), {2.0, 1.0, 1.0}, Rng(Seed{1}), {}), (std::vector<Permissions>{{0}}));
}

}  // namespace
}  // namespace motet::roles::role_candidates_test
