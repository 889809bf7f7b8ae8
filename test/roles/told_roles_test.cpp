#include "motet/roles/told_roles.h"

#include <gtest/gtest.h>

#include <limits>
#include <utility>

#include "data/bits.h"
#include "motet/measure/boolean.h"
#include "roles/model_cases.h"
#include "roles/planted_cases.h"
#include "support/cancelled.h"
#include "support/errors.h"
#include "support/threads.h"

namespace motet::roles::told_roles_test {
namespace {

// Everybody certain of one set.
UserPosteriors certain(const std::vector<std::uint32_t>& sets) {
  UserPosteriors users;
  for (const std::uint32_t set : sets) {
    users.shares.push_back({set, 1.0});
    users.ends.push_back(users.shares.size());
    users.log_likelihood.push_back(0.0);
  }
  return users;
}

// Two roles {0, 1, 2} and {2, 3}; sets {}, {0}, {1}, {0, 1}.
RoleModel two_roles() { return hard_model(bits_of({"1110", "0011"}), 2, 0.1, 0.9); }

TEST(ToldRoles, AreTheMostProbableSet) {
  UserPosteriors users;
  users.shares = {{3, 0.6}, {0, 0.4}};
  users.ends = {2};
  const BitMatrix held = bits_of({"0000"});
  EXPECT_EQ(told_roles(two_roles(), held, nullptr, users, {}, {}), bits_of({"11"}));
}

TEST(ToldRoles, OrAllThatAreProbableEnough) {
  UserPosteriors users;
  users.shares = {{1, 0.5}, {3, 0.25}, {2, 0.25}};
  users.ends = {3};
  const BitMatrix held = bits_of({"0000"});
  EXPECT_EQ(told_roles(two_roles(), held, nullptr, users, 0.75, {}), bits_of({"10"}));
  EXPECT_EQ(told_roles(two_roles(), held, nullptr, users, 0.5, {}), bits_of({"11"}));
  EXPECT_EQ(told_roles(two_roles(), held, nullptr, users, 0.0, {}), bits_of({"11"}));
}

TEST(ToldRoles, ARoleThatGrantsNothingIsNobodys) {
  RoleModel model = hard_model(bits_of({"1100", "0000"}), 2, 0.1, 0.9);
  model.absence[4] = 0.6;  // soft, and yet below one half
  const BitMatrix held = bits_of({"1110"});
  EXPECT_EQ(told_roles(model, held, nullptr, certain({3}), {}, {}), bits_of({"10"}));
  EXPECT_EQ(told_roles(model, held, nullptr, certain({3}), 0.0, {}), bits_of({"10"}));
}

TEST(ToldRoles, WithAPriceTheCheapestSet) {
  RoleModel model = two_roles();
  // Held 0 and 1 of the first role: 2 wrong cells without it, 1 missing with it.
  const BitMatrix held = bits_of({"1100", "1110", "0111"});
  const UserPosteriors users = certain({0, 0, 0});
  model.over_grant_cost = 1.0;
  EXPECT_EQ(told_roles(model, held, nullptr, users, {}, {}), bits_of({"10", "10", "01"}));
  model.over_grant_cost = 3.0;
  EXPECT_EQ(told_roles(model, held, nullptr, users, {}, {}), bits_of({"00", "10", "01"}));
  model.over_grant_cost = std::numeric_limits<double>::infinity();
  EXPECT_EQ(told_roles(model, held, nullptr, users, {}, {}), bits_of({"00", "10", "01"}));
  // What nobody knows costs nothing.
  const BitMatrix known = bits_of({"1101", "1111", "1111"});
  EXPECT_EQ(told_roles(model, held, &known, users, {}, {}), bits_of({"10", "10", "01"}));
}

TEST(ToldRoles, OfEquallyCheapSetsTheMostProbable) {
  RoleModel model = hard_model(bits_of({"10", "10"}), 1, 0.1, 0.9);
  model.over_grant_cost = 1.0;
  const BitMatrix held = bits_of({"10"});
  EXPECT_EQ(told_roles(model, held, nullptr, certain({2}), {}, {}), bits_of({"01"}));
  EXPECT_EQ(told_roles(model, held, nullptr, certain({1}), {}, {}), bits_of({"10"}));
}

TEST(ToldExceptions, AreAllCellsThatDiffer) {
  Rng rng(Seed{10});
  const BitMatrix held = random_bits(1200, 12, 0.4, Rng(Seed{3}));
  const RoleModel model = hard_model(random_bits(3, 12, 0.4, Rng(Seed{4})), 2, 0.1, 0.85);
  const UserPosteriors users = user_posteriors(model, held, {}, {});
  const BitMatrix told = told_roles(model, held, nullptr, users, {}, {});
  const std::vector<FoundException> found = told_exceptions(model, held, nullptr, told, users, {});
  BitMatrix rebuilt = boolean_product(told, rounded_roles(model));
  EXPECT_EQ(found.size(), differing_cells(rebuilt, held));
  for (std::size_t i = 0; i < found.size(); ++i) {
    EXPECT_EQ(found[i].kind == ExceptionKind::extra, held(found[i].user, found[i].permission));
    rebuilt.set(found[i].user, found[i].permission, found[i].kind == ExceptionKind::extra);
    if (i == 0) continue;
    const FoundException& before = found[i - 1];
    EXPECT_GE(before.probability, found[i].probability);
    if (before.probability == found[i].probability) {
      EXPECT_LT(std::pair(before.user, before.permission), std::pair(found[i].user, found[i].permission));
    }
  }
  EXPECT_EQ(rebuilt, held);
  BitMatrix known = random_bits(1200, 12, 0.5, Rng(Seed{5}));
  for (const FoundException& one : told_exceptions(model, held, &known, told, users, {})) {
    EXPECT_TRUE(known(one.user, one.permission));
  }
}

TEST(ToldExceptions, HaveTheProbabilityOfTheCell) {
  // One soft role that everybody has grants with .7: a held cell came from the role with .7 .8 / q, from noise with
  // .3 .1 / q, q = .8 - .7 * .3 = .59.
  RoleModel model = hard_model(bits_of({"1"}), 1, 0.1, 0.8);
  model.absence = {0.3};
  model.set_share = {1e-300, 1.0};
  const BitMatrix held = bits_of({"1", "0"});
  const UserPosteriors users = user_posteriors(model, held, {}, {});
  const BitMatrix nobody(2, 1);
  const std::vector<FoundException> missing =
      told_exceptions(model, held, nullptr, told_roles(model, held, nullptr, users, {}, {}), users, {});
  ASSERT_EQ(missing.size(), 1U);
  EXPECT_EQ(missing[0].user, 1U);
  EXPECT_NEAR(missing[0].probability, 0.7 * 0.2 / 0.41, 1e-12);
  const std::vector<FoundException> extra = told_exceptions(model, held, nullptr, nobody, users, {});
  ASSERT_EQ(extra.size(), 1U);
  EXPECT_EQ(extra[0].user, 0U);
  EXPECT_NEAR(extra[0].probability, 0.3 * 0.1 / 0.59, 1e-12);
}

TEST(ToldRoles, AreTheSameOnAnyNumberOfThreadsAndStopWhenTold) {
  const BitMatrix held = random_bits(1500, 20, 0.4, Rng(Seed{6}));
  RoleModel model = hard_model(random_bits(5, 20, 0.3, Rng(Seed{7})), 3, 0.1, 0.85);
  model.over_grant_cost = 2.0;
  const UserPosteriors users = user_posteriors(model, held, {}, {});
  const BitMatrix told = told_roles(model, held, nullptr, users, {}, with_threads({1}));
  const std::size_t exceptions = told_exceptions(model, held, nullptr, told, users, with_threads({1})).size();
  for (const unsigned threads : {2U, 4U}) {
    EXPECT_EQ(told_roles(model, held, nullptr, users, {}, with_threads(StartedThreads(threads))), told);
    EXPECT_EQ(told_exceptions(model, held, nullptr, told, users, with_threads(StartedThreads(threads))).size(),
              exceptions);
  }
  CancelFlag cancel;
  cancel.set(2);
  RunContext stopped;
  stopped.cancel = &cancel;
  EXPECT_EQ(error_of([&] { told_roles(model, held, nullptr, users, {}, stopped); }, ErrorKind::interrupted),
            "interrupted");
}

}  // namespace
}  // namespace motet::roles::told_roles_test
