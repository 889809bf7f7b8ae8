#include "motet/roles/choice/role_capacity.h"

#include <gtest/gtest.h>

#include <cmath>
#include <set>
#include <string>

#include "data/bits.h"
#include "motet/roles/choice/grown_models.h"
#include "roles/model_cases.h"
#include "roles/planted_cases.h"
#include "support/errors.h"
#include "support/threads.h"

namespace motet::roles::role_capacity_test {
namespace {

// Section 10.3.1: sets {1}, {2}, {1, 2}; the empty set has share 0 here.
RoleModel two_sources(double noise) {
  BitMatrix roles(2, 54);
  for (std::size_t d = 0; d < 10; ++d) roles.set(0, d);
  for (std::size_t d = 7; d < 17; ++d) roles.set(1, d);
  RoleModel model = hard_model(roles, 2, 0.5 * noise, 1.0 - 0.5 * noise);
  model.set_share = {0.0, 1.0 / 3.0, 1.0 / 3.0, 1.0 / 3.0};
  return model;
}

Capacity capacity_of(const RoleModel& model, const BitMatrix& first, const BitMatrix& second,
                     const RoleCapacityOptions& options = {}, const RunContext& run = {}) {
  return role_capacity(model, pair_nearest_users(first, second, run), options, run);
}

TEST(RoleCapacity, IsTheEntropyOfTheSetsOnCleanData) {
  const RoleModel model = two_sources(0.0);
  Rng rng(Seed{1});
  const DrawnUsers x1 = draw_users(model, 300, rng);
  EXPECT_NEAR(capacity_of(model, x1.held, x1.held).bits, std::log2(3.0), 1e-9);
}

TEST(RoleCapacity, FallsWithTheNoise) {
  double before = std::log2(3.0);
  for (const double noise : {0.3, 0.5, 0.7}) {
    const RoleModel model = two_sources(noise);
    Rng rng(Seed{2});
    const DrawnUsers x1 = draw_users(model, 600, rng);
    const DrawnUsers x2 = draw_users(model, 600, rng);
    const Capacity capacity = capacity_of(model, x1.held, x2.held);
    EXPECT_LT(capacity.bits, before);
    EXPECT_GT(capacity.bits, 0.0);
    EXPECT_GT(capacity.error, 0.0);
    before = capacity.bits;
  }
}

TEST(RoleCapacity, SetsNobodyHasDoNotCount) {
  const RoleModel model = two_sources(0.5);
  RoleModel idle = model;
  idle.set_share = {1e-6, 1.0 / 3.0, 1.0 / 3.0, 1.0 / 3.0};
  Rng rng(Seed{2});
  const DrawnUsers x1 = draw_users(model, 600, rng);
  const DrawnUsers x2 = draw_users(model, 600, rng);
  const double bits = capacity_of(model, x1.held, x2.held).bits;
  EXPECT_NEAR(bits, 0.743, 0.1);  // as in the test of the measure
  EXPECT_NEAR(capacity_of(idle, x1.held, x2.held).bits, bits, 1e-12);
  RoleCapacityOptions all{.least_users = 0.0};
  EXPECT_LT(capacity_of(model, x1.held, x2.held, all).bits, bits - 0.05);
}

// Without the merge each of the two names of one role would take half of the posterior.
TEST(RoleCapacity, ARoleThatIsThereTwiceChangesNothing) {
  const RoleModel once = hard_model(bits_of({"111100000000", "000000001111"}), 1, 0.0, 1.0);
  RoleModel twice = hard_model(bits_of({"111100000000", "000000001111", "000000001111"}), 1, 0.0, 1.0);
  twice.set_share = {1.0 / 3, 1.0 / 3, 1.0 / 6, 1.0 / 6};
  Rng rng(Seed{3});
  const DrawnUsers x1 = draw_users(once, 200, rng);
  for (const bool rounded : {true, false}) {
    RoleCapacityOptions options{.rounded = rounded};
    EXPECT_NEAR(capacity_of(once, x1.held, x1.held, options).bits, std::log2(3.0), 1e-9);
    EXPECT_NEAR(capacity_of(twice, x1.held, x1.held, options).bits, std::log2(3.0), 1e-9);
  }
}

RoleModel without_noise(RoleModel model) {
  model.noise = RoleNoise::none;
  model.p0 = {0.0};
  model.p1 = {1.0};
  return model;
}

// With the same centroids the costs differ by a factor, which the temperature takes up.
TEST(RoleCapacity, OfAModelWithoutNoiseIsThatOfTheNoiseItMeets) {
  const RoleModel model = two_sources(0.5);
  Rng rng(Seed{4});
  const DrawnUsers x1 = draw_users(model, 600, rng);
  const DrawnUsers x2 = draw_users(model, 600, rng);
  const Capacity fair = capacity_of(model, x1.held, x2.held);
  const Capacity plain = capacity_of(without_noise(model), x1.held, x2.held);
  EXPECT_NEAR(plain.bits, fair.bits, 3.0 * (plain.error + fair.error));
}

// Centroids with 37 % of the bits wrong, and more certain than the truth. Paired by what the models themselves say of
// the users, the wrong ones had 0.9 to 1.2 bits, the right one 0.5 to 0.6.
TEST(RoleCapacity, AWrongModelThatIsSureOfItselfHasLessThanTheRightOne) {
  const RoleModel right = two_sources(0.6);
  for (const std::uint64_t seed : {3U, 4U, 5U}) {
    Rng rng(Seed{seed});
    RoleModel wrong = right;
    for (double& absence : wrong.absence) {
      const bool is_granted = (absence < 0.5) != (rng.uniform() < 0.37);
      absence = is_granted ? 0.2 : 0.8;
    }
    wrong.p0 = {0.1};
    wrong.p1 = {0.9};
    const DrawnUsers x1 = draw_users(right, 300, rng);
    const DrawnUsers x2 = draw_users(right, 300, rng);
    SearchRules rules;
    rules.degree = 2;
    const RoleModel reference = grown_models(x2.held, right.permissions, {2, 2}, rules, rng.child(1), {}).back();
    const PairedUsers users = pair_users_by(reference, x1.held, x2.held, {});
    for (const bool rounded : {true, false}) {
      RoleCapacityOptions options{.rounded = rounded};
      const Capacity of_right = role_capacity(right, users, options, {});
      const Capacity of_wrong = role_capacity(wrong, users, options, {});
      EXPECT_GT(of_right.bits, of_wrong.bits + of_right.error + of_wrong.error) << seed << rounded;
    }
  }
}

// The other way to pair, that of a right model, agrees with true pairs at any noise, also for a reference without
// noise.
TEST(RoleCapacity, PairsByARightReferenceGiveThatOfTruePairs) {
  for (const double noise : {0.3, 0.5}) {
    const RoleModel model = two_sources(noise);
    Rng rng(Seed{8});
    const DrawnUsers x1 = draw_users(model, 600, rng);
    const DrawnUsers x2 = draw_users(model, 600, rng);
    for (const RoleModel& reference : {model, without_noise(model)}) {
      const Capacity found = role_capacity(model, pair_users_by(reference, x1.held, x2.held, {}), {}, {});
      EXPECT_NEAR(found.bits, noise == 0.3 ? 1.448 : 0.932, 0.08) << noise;
    }
  }
}

TEST(RoleCapacity, ReferencesWithoutCommonSetsGiveNoPairs) {
  const RoleModel model = hard_model(bits_of({"1111111100000000", "0000000011111111"}), 1, 0.0, 1.0);
  EXPECT_TRUE(pair_users_by(model, bits_of({"1111111100000000"}), bits_of({"0000000011111111"}), {}).pairs.empty());
  EXPECT_TRUE(pair_users_by(model, BitMatrix(0, 16), BitMatrix(3, 16), {}).pairs.empty());
}

// 121 sets for 150 users: many of the first have no partner of their set, which (10.9) takes for noise. Drawn pairs
// leave them out.
TEST(RoleCapacity, ManySetsForFewUsersLowerThatOfNearestRows) {
  BitMatrix roles(15, 300);
  for (std::size_t k = 0; k < 15; ++k) {
    for (std::size_t d = 20 * k; d < 20 * k + 20; ++d) roles.set(k, d);
  }
  const RoleModel model = hard_model(roles, 2, 0.01, 0.99);
  Rng rng(Seed{7});
  const DrawnUsers x1 = draw_users(model, 150, rng);
  const DrawnUsers x2 = draw_users(model, 150, rng);
  EXPECT_NEAR(role_capacity(model, pair_users_by(model, x1.held, x2.held, {}), {}, {}).bits, std::log2(121.0), 1e-3);
  EXPECT_LT(capacity_of(model, x1.held, x2.held).bits, std::log2(121.0) - 1.0);
}

TEST(RoleCapacity, PairsAreOfTheSmallerNumberAndEveryUserIsInOne) {
  const BitMatrix five = bits_of({"1000", "0100", "0010", "0001", "1111"});
  const BitMatrix three = bits_of({"0111", "0100", "1000"});
  const PairedUsers users = pair_nearest_users(five, three, {});
  ASSERT_EQ(users.first.rows(), 3U);
  ASSERT_EQ(users.second.rows(), 3U);
  std::set<std::uint32_t> partners;
  for (const UserPair& pair : users.pairs) partners.insert(pair.second);
  EXPECT_EQ(partners.size(), 3U);
  EXPECT_EQ(pair_nearest_users(three, three, {}).pairs, pair_in_order(3));
}

TEST(RoleCapacity, ThinnedUsersGiveTheSameValueWithinItsError) {
  const RoleModel model = two_sources(0.5);
  Rng rng(Seed{5});
  const DrawnUsers x1 = draw_users(model, 1200, rng);
  const DrawnUsers x2 = draw_users(model, 1200, rng);
  const Capacity all = role_capacity(model, pair_nearest_users(x1.held, x2.held, {}, 1000), {}, {});
  const Capacity thin = role_capacity(model, pair_nearest_users(x1.held, x2.held, {}, 300), {}, {});
  EXPECT_NEAR(thin.bits, all.bits, 3.0 * thin.error);
  EXPECT_GT(thin.error, all.error);
}

TEST(RoleCapacity, SameValueOnAnyNumberOfThreads) {
  const RoleModel model = two_sources(0.5);
  Rng rng(Seed{6});
  const DrawnUsers x1 = draw_users(model, 700, rng);
  const DrawnUsers x2 = draw_users(model, 700, rng);
  StartedThreads four(4);
  const Capacity a = capacity_of(model, x1.held, x2.held, {}, with_threads({1}));
  const Capacity b = capacity_of(model, x1.held, x2.held, {}, with_threads(four));
  EXPECT_EQ(a.bits, b.bits);
  EXPECT_EQ(a.error, b.error);
}

TEST(RoleCapacity, NoUsersHaveNoCapacity) {
  EXPECT_EQ(
      error_of([&] { capacity_of(two_sources(0.5), BitMatrix(0, 54), BitMatrix(1, 54)); }, ErrorKind::unanswerable),
      "capacity: there are no pairs of users to compare");
}

}  // namespace
}  // namespace motet::roles::role_capacity_test
