#include "motet/roles/mac/choose_end.h"

#include <gtest/gtest.h>

#include <cmath>

#include "roles/mine_cases.h"

namespace motet::roles::choose_end_test {
namespace {

// Users of two roles, each permission of which a member has with the same chance.
Access soft_access(double held, std::size_t users) {
  Rng rng(Seed{8});
  BitMatrix bits(users, 12);
  for (std::size_t n = 0; n < users; ++n) {
    for (std::size_t d = 0; d < 12; ++d) bits.set(n, d, d / 6 == n % 2 && rng.uniform() < (d % 2 == 0 ? held : 1.0));
  }
  return named(bits);
}

struct Case {
  Access access;
  MineData data{.access = &access};
  MineOptions options = two_a_user();
  RoleConstraints constraints = {};
  RunContext run = {};

  ChosenEnd choose() const {
    const MacSetting setting(data, 2, options, constraints, run);
    SearchedUsers users;
    users.access = access;
    users.data = setting.merged(access.held);
    RoleSearch search(users.data, setting.rules_for(users.data), run);
    StartRules rules;
    rules.annealings = 1;
    users.single = single_ends(search, 2, rules, run);
    users.ends = search_roles(search, 2, rules, run).ends;
    const ChosenEnd chosen = choose_end(setting, users.data, users);
    const MacShape shape = setting.shape_for(users.data, chosen.rounded);
    EXPECT_EQ(chosen.parameters.size(), mac_parts(shape, users.data.bits.columns()).prior() + shape.sets.size());
    EXPECT_GE(chosen.starts.size(), users.ends.size());
    return chosen;
  }
};

TEST(ChooseEnd, SoftRolesAreTakenWhereMembersHavePermissionsBySomeChance) {
  const Case soft{soft_access(0.6, 200)};
  const ChosenEnd chosen = soft.choose();
  EXPECT_FALSE(chosen.rounded);
  EXPECT_EQ(chosen.winner, chosen.starts.size() - 1);
  const StartTrial& trial = chosen.starts.back();
  EXPECT_FALSE(trial.rounded);
  double best = chosen.starts.front().objective;
  for (const StartTrial& start : chosen.starts) {
    if (start.rounded) best = std::max(best, start.objective);
  }
  EXPECT_GT(trial.objective, best);
  EXPECT_FALSE(std::isnan(trial.held_out));
}

TEST(ChooseEnd, YesNoRolesStayWhereSoftOnesSayNoMore) {
  const Case plain{soft_access(1.0, 200)};
  const ChosenEnd chosen = plain.choose();
  EXPECT_TRUE(chosen.rounded);
  EXPECT_TRUE(chosen.starts.at(chosen.winner).rounded);
}

// Fewer than twenty: nobody can be held out.
TEST(ChooseEnd, YesNoRolesStayWhereUsersAreTooFewToJudge) {
  const Case few{soft_access(0.6, 18)};
  const ChosenEnd chosen = few.choose();
  EXPECT_TRUE(chosen.rounded);
  for (const StartTrial& start : chosen.starts) EXPECT_TRUE(start.rounded && std::isnan(start.held_out)) << start.name;
}

TEST(ChooseEnd, WhatWasAskedForIsNotJudged) {
  Case asked{soft_access(1.0, 200)};
  asked.options.centroids = Centroids::soft;
  EXPECT_FALSE(asked.choose().rounded);
  Case yes_no{soft_access(0.6, 200)};
  yes_no.options.centroids = Centroids::rounded;
  const ChosenEnd chosen = yes_no.choose();
  EXPECT_TRUE(chosen.rounded);
  for (const StartTrial& start : chosen.starts) EXPECT_TRUE(start.rounded) << start.name;
}

}  // namespace
}  // namespace motet::roles::choose_end_test
