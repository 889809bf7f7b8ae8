#include "motet/roles/role_capacity.h"

#include <gtest/gtest.h>

#include <cmath>
#include <string>

#include "data/bits.h"
#include "motet/base/error.h"
#include "roles/model_cases.h"

namespace motet {
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

TEST(RoleCapacity, IsTheEntropyOfTheSetsOnCleanData) {
  const RoleModel model = two_sources(0.0);
  Rng rng(Seed{1});
  const DrawnUsers x1 = draw_users(model, 300, rng);
  const DrawnUsers x2 = draw_users(model, 300, rng);
  EXPECT_NEAR(role_capacity(model, x1.held, x2.held, {}, {}).bits, std::log2(3.0), 1e-9);
}

TEST(RoleCapacity, FallsWithTheNoise) {
  double before = std::log2(3.0);
  for (const double noise : {0.3, 0.5, 0.7}) {
    const RoleModel model = two_sources(noise);
    Rng rng(Seed{2});
    const DrawnUsers x1 = draw_users(model, 600, rng);
    const DrawnUsers x2 = draw_users(model, 600, rng);
    const Capacity capacity = role_capacity(model, x1.held, x2.held, {}, {});
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
  const double bits = role_capacity(model, x1.held, x2.held, {}, {}).bits;
  EXPECT_NEAR(bits, 0.93, 0.1);  // as in the test of the measure
  EXPECT_NEAR(role_capacity(idle, x1.held, x2.held, {}, {}).bits, bits, 1e-12);
  RoleCapacityOptions all;
  all.least_users = 0.0;
  EXPECT_LT(role_capacity(model, x1.held, x2.held, all, {}).bits, bits - 0.05);
}

// Without the merge each of the two names of one role would take half of the posterior.
TEST(RoleCapacity, ARoleThatIsThereTwiceChangesNothing) {
  const RoleModel once = hard_model(bits_of({"111100000000", "000000001111"}), 1, 0.0, 1.0);
  RoleModel twice = hard_model(bits_of({"111100000000", "000000001111", "000000001111"}), 1, 0.0, 1.0);
  twice.set_share = {1.0 / 3, 1.0 / 3, 1.0 / 6, 1.0 / 6};
  Rng rng(Seed{3});
  const DrawnUsers x1 = draw_users(once, 200, rng);
  const DrawnUsers x2 = draw_users(once, 200, rng);
  for (const bool rounded : {true, false}) {
    RoleCapacityOptions options;
    options.rounded = rounded;
    EXPECT_NEAR(role_capacity(once, x1.held, x2.held, options, {}).bits, std::log2(3.0), 1e-9);
    EXPECT_NEAR(role_capacity(twice, x1.held, x2.held, options, {}).bits, std::log2(3.0), 1e-9);
  }
}

// With the same centroids the costs differ by a factor, which the temperature takes up.
TEST(RoleCapacity, OfAModelWithoutNoiseIsThatOfTheNoiseItMeets) {
  const RoleModel model = two_sources(0.5);
  RoleModel sure = model;
  sure.noise = RoleNoise::none;
  sure.p0 = {0.0};
  sure.p1 = {1.0};
  Rng rng(Seed{4});
  const DrawnUsers x1 = draw_users(model, 600, rng);
  const DrawnUsers x2 = draw_users(model, 600, rng);
  const Capacity fair = role_capacity(model, x1.held, x2.held, {}, {});
  const Capacity plain = role_capacity(sure, x1.held, x2.held, {}, {});
  EXPECT_NEAR(plain.bits, fair.bits, 3.0 * (plain.error + fair.error));
}

// 121 sets for 150 users: many of the first have no partner, which is not noise.
TEST(RoleCapacity, RareSetsWithoutAPartnerAreNotTakenForNoise) {
  BitMatrix roles(15, 300);
  for (std::size_t k = 0; k < 15; ++k) {
    for (std::size_t d = 20 * k; d < 20 * k + 20; ++d) roles.set(k, d);
  }
  const RoleModel model = hard_model(roles, 2, 0.01, 0.99);
  Rng rng(Seed{7});
  const DrawnUsers x1 = draw_users(model, 150, rng);
  const DrawnUsers x2 = draw_users(model, 150, rng);
  EXPECT_NEAR(role_capacity(model, x1.held, x2.held, {}, {}).bits, std::log2(121.0), 1e-3);
}

TEST(RoleCapacity, ThinnedUsersGiveTheSameValueWithinItsError) {
  const RoleModel model = two_sources(0.5);
  Rng rng(Seed{5});
  const DrawnUsers x1 = draw_users(model, 1500, rng);
  const DrawnUsers x2 = draw_users(model, 1500, rng);
  RoleCapacityOptions few;
  few.most_users = 300;
  const Capacity all = role_capacity(model, x1.held, x2.held, {}, {});
  const Capacity thin = role_capacity(model, x1.held, x2.held, few, {});
  EXPECT_NEAR(thin.bits, all.bits, 3.0 * thin.error);
  EXPECT_GT(thin.error, all.error);
}

TEST(RoleCapacity, SameValueOnAnyNumberOfThreads) {
  const RoleModel model = two_sources(0.5);
  Rng rng(Seed{6});
  const DrawnUsers x1 = draw_users(model, 700, rng);
  const DrawnUsers x2 = draw_users(model, 700, rng);
  RunContext one;
  one.threads.count = 1;
  RunContext four;
  four.threads.count = 4;
  const Capacity a = role_capacity(model, x1.held, x2.held, {}, one);
  const Capacity b = role_capacity(model, x1.held, x2.held, {}, four);
  EXPECT_EQ(a.bits, b.bits);
  EXPECT_EQ(a.error, b.error);
}

TEST(RoleCapacity, NoUsersOrNoCommonSetsHaveNoCapacity) {
  try {
    role_capacity(two_sources(0.5), BitMatrix(0, 54), BitMatrix(1, 54), {}, {});
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(std::string(error.what()), "capacity: there are no users to compare");
  }
  const RoleModel model = hard_model(bits_of({"1111111100000000", "0000000011111111"}), 1, 0.0, 1.0);
  try {
    role_capacity(model, bits_of({"1111111100000000"}), bits_of({"0000000011111111"}), {}, {});
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(std::string(error.what()), "capacity: no set of roles of the first users occurs in the second");
  }
}

}  // namespace
}  // namespace motet
