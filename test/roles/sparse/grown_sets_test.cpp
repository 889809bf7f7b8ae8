#include "motet/roles/sparse/grown_sets.h"

#include <gtest/gtest.h>

#include <cmath>

#include "motet/roles/mac/posterior.h"
#include "motet/roles/told_roles.h"
#include "roles/model_cases.h"
#include "roles/planted_cases.h"
#include "roles/sparse/sparse_cases.h"
#include "support/threads.h"

namespace motet::roles::grown_sets_test {
namespace {

// A model that lists all sets of independent roles, and the same grown: unseen = 1, so that no list counts.
struct Both {
  RoleModel listed;
  RoleModel grown;
};

Both both_models(const BitMatrix& roles, Rng rng) {
  Both both{hard_model(roles, roles.rows(), 0.05, 0.9), {}};
  std::vector<double> share;
  for (std::size_t k = 0; k < roles.rows(); ++k) share.push_back(rng.uniform(0.1, 0.6));
  for (std::size_t l = 0; l < both.listed.sets.size(); ++l) {
    double p = 1.0;
    for (std::uint32_t k = 0; k < roles.rows(); ++k) {
      const auto set = both.listed.sets[l];
      p *= std::find(set.begin(), set.end(), k) != set.end() ? share[k] : 1.0 - share[k];
    }
    both.listed.set_share[l] = p;
  }
  both.grown = both.listed;
  both.grown.sets = {};
  both.grown.sets.add({});
  both.grown.set_share = {1.0};
  both.grown.grown = GrownPrior{roles.rows(), 1.0, share, {}};
  return both;
}

// Each user's shares by set of roles.
std::map<std::vector<std::uint32_t>, double> shares_of(const RoleModel& model, std::span<const SetShare> shares) {
  std::map<std::vector<std::uint32_t>, double> result;
  for (const SetShare& share : shares) {
    const auto set = model.sets[share.set];
    result[{set.begin(), set.end()}] += share.probability;
  }
  return result;
}

TEST(GrownSets, PosteriorsAreThoseOfTheWholeList) {
  Rng rng(Seed{1});
  for (std::uint64_t i = 0; i < 10; ++i) {
    Both both = both_models(random_bits(4, 40, 0.4, rng.child(3 * i)), rng.child(3 * i + 1));
    Rng own = rng.child(3 * i + 2);
    const BitMatrix held = draw_users(both.listed, 30, own).held;
    const BitMatrix mask = random_bits(30, 40, 0.8, own.child(1));
    const BitMatrix* const known = i % 2 == 0 ? nullptr : &mask;
    add_sets_of(both.grown, held, known, {});
    const UserPosteriors whole = user_posteriors(both.listed, held, {known, nullptr}, {});
    const UserPosteriors grown = user_posteriors(both.grown, held, {known, nullptr}, {});
    ASSERT_EQ(grown.user_count(), 30U);
    for (std::size_t n = 0; n < 30; ++n) {
      // Sets that differ in two roles from the best are left out.
      EXPECT_NEAR(grown.log_likelihood[n], whole.log_likelihood[n], 0.05);
      const auto a = shares_of(both.listed, whole.of(n));
      for (const auto& [set, share] : shares_of(both.grown, grown.of(n))) {
        const auto found = a.find(set);
        EXPECT_NEAR(share, found == a.end() ? 0.0 : found->second, 0.05);
      }
      const auto first = both.grown.sets[grown.of(n).front().set];
      const auto other = both.listed.sets[whole.of(n).front().set];
      EXPECT_TRUE(std::ranges::equal(first, other));
    }
  }
}

TEST(GrownSets, ToldRolesAndInformationAreThoseOfTheWholeList) {
  Both both = both_models(random_bits(4, 60, 0.3, Rng(Seed{2})), Rng(Seed{3}));
  Rng rng(Seed{4});
  const BitMatrix held = draw_users(both.listed, 50, rng).held;
  add_sets_of(both.grown, held, nullptr, {});
  const UserPosteriors users = user_posteriors(both.grown, held, {}, {});
  RoleModel listed = both.grown;  // the same list, taken as it is
  listed.grown.reset();
  EXPECT_EQ(told_roles(both.grown, held, nullptr, users, {}, {}), told_roles(listed, held, nullptr, users, {}, {}));
  const NoiseIntervals sparse = noise_intervals(both.grown, held, users, 0.95, {});
  const NoiseIntervals dense = noise_intervals(listed, held, users, 0.95, {});
  EXPECT_NEAR(sparse.fraction.low, dense.fraction.low, 1e-9);
  EXPECT_NEAR(sparse.fraction.high, dense.fraction.high, 1e-9);
  EXPECT_NEAR(sparse.set_probability.low, dense.set_probability.low, 1e-9);
}

TEST(GrownSets, AreListedWithTheirSharesAndTheChanceOfAnother) {
  SparseRoles state;
  state.roles = sparse_rows(bits_of({"110000", "001100", "000011"}));
  state.share = {0.5, 0.5, 0.25};
  SparsePosteriors posteriors;
  posteriors.of = {{{{0}, 1.0}}, {{{0}, 1.0}}, {{{0, 1}, 0.75}, {{1}, 0.25}}, {{{1, 2}, 1.0}}};
  SparseRules rules;
  rules.growth.most_roles = 2;
  RoleModel model = hard_model(dense_rows(state.roles), 1, 0.1, 0.9);
  list_sets(state, posteriors, rules, model);
  std::vector<std::vector<std::uint32_t>> sets;
  for (std::size_t l = 0; l < model.sets.size(); ++l) sets.emplace_back(model.sets[l].begin(), model.sets[l].end());
  EXPECT_EQ(sets, (std::vector<std::vector<std::uint32_t>>{{}, {0}, {1}, {0, 1}, {1, 2}}));
  EXPECT_EQ(model.set_share, (std::vector<double>{0.0, 0.5, 0.0625, 0.1875, 0.25}));
  EXPECT_EQ(model.grown->most_roles, 2U);
  EXPECT_DOUBLE_EQ(model.grown->unseen, 0.5);  // two of four users have a set of their own
}

// A user with two roles that nobody had together is given both, and that set is added to the list.
TEST(GrownSets, NewUsersMayHaveSetsThatNobodyHad) {
  RoleModel model = hard_model(bits_of({"111110000000", "000001111100"}), 1, 0.01, 0.95);
  model.set_share = {0.2, 0.4, 0.4};
  model.grown = GrownPrior{2, 0.1, {0.4, 0.4}, {}};
  const BitMatrix held = bits_of({"111111111100", "111110000000"});
  add_sets_of(model, held, nullptr, {});
  ASSERT_GT(model.sets.size(), 3U);
  const UserPosteriors users = user_posteriors(model, held, {}, {});
  EXPECT_EQ(model.sets[users.of(0).front().set].size(), 2U);
  EXPECT_GT(users.of(0).front().probability, 0.99);
  EXPECT_EQ(model.sets[users.of(1).front().set].size(), 1U);
  model.grown->never_together = {{0, 1}};
  const UserPosteriors apart = user_posteriors(model, held, {}, {});
  EXPECT_EQ(model.sets[apart.of(0).front().set].size(), 1U);
}

TEST(GrownSets, SameOnAnyNumberOfThreads) {
  Both both = both_models(random_bits(5, 60, 0.3, Rng(Seed{2})), Rng(Seed{3}));
  Rng rng(Seed{4});
  const BitMatrix held = draw_users(both.listed, 2000, rng).held;
  RoleModel other = both.grown;
  StartedThreads threads(3);
  add_sets_of(both.grown, held, nullptr, {1});
  add_sets_of(other, held, nullptr, threads);
  EXPECT_EQ(both.grown.sets, other.sets);
  const UserPosteriors one = user_posteriors(other, held, {}, with_threads({1}));
  const UserPosteriors three = user_posteriors(other, held, {}, with_threads(threads));
  EXPECT_EQ(one.log_likelihood, three.log_likelihood);
  EXPECT_EQ(one.ends, three.ends);
}

}  // namespace
}  // namespace motet::roles::grown_sets_test
