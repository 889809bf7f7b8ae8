#include "motet/roles/baselines/asso.h"

#include <gtest/gtest.h>

#include <cmath>

#include "roles/planted_cases.h"
#include "support/errors.h"
#include "support/threads.h"

namespace motet::roles::asso_test {
namespace {

PlantedAccess planted(double noise, std::uint64_t seed = 1) {
  return simulate_access({.users = 400, .permissions = 100, .roles = 5, .noise_fraction = noise}, Rng(Seed{seed}));
}

Factorization asso_of(const BitMatrix& held, std::size_t roles, const RunContext& run = {}) {
  const MergedMatrix data = merge_equal(held);
  return unmerged(asso(data, roles, {}, run), data);
}

TEST(Asso, FindsPlantedRolesAndTheirUsers) {
  for (const double noise : {0.0, 0.05, 0.1}) {
    const PlantedAccess data = planted(noise);
    const Factorization found = asso_of(data.access.held, 5);
    EXPECT_EQ(role_error(found.roles, data.roles), 0.0) << noise;
    // A user whose second role adds little may lose it to noise: one cell in a thousand of the 40000.
    EXPECT_LE(difference(boolean_product(found.assignments, found.roles), data.clean), noise == 0.0 ? 0U : 40U)
        << noise;
  }
}

TEST(Asso, DoesNotCareForMerging) {
  const PlantedAccess data = planted(0.02, 2);
  const MergedMatrix apart = merge_equal(data.access.held, {.rows = false, .columns = false});
  EXPECT_EQ(asso(apart, 5, {}, {}), asso_of(data.access.held, 5));
}

TEST(Asso, DoesNotCareForTheOrderOfUsersAndPermissions) {
  const PlantedAccess data = planted(0.1, 3);
  const std::vector<std::uint32_t> users = shuffled(400, Rng(Seed{1}));
  const std::vector<std::uint32_t> permissions = shuffled(100, Rng(Seed{2}));
  const Factorization straight = asso_of(data.access.held, 5);
  const Factorization turned = asso_of(data.access.held.rows_of(users).columns_of(permissions), 5);
  // Roles come in the order of their gains, so the order is the same as well.
  EXPECT_EQ(turned.roles, straight.roles.columns_of(permissions));
  EXPECT_EQ(turned.assignments, straight.assignments.rows_of(users));
}

TEST(Asso, IsTheSameOnAnyNumberOfThreads) {
  const PlantedAccess data = planted(0.3, 4);
  const Factorization one = asso_of(data.access.held, 5, with_threads({1}));
  EXPECT_EQ(asso_of(data.access.held, 5, with_threads(StartedThreads(2))), one);
  EXPECT_EQ(asso_of(data.access.held, 5, with_threads(StartedThreads(4))), one);
}

TEST(Asso, SeedsAreTheRolesOfEveryThreshold) {
  const PlantedAccess data = planted(0.05);
  const MergedMatrix merged = merge_equal(data.access.held);
  const double p0 = 0.025;
  const double p1 = 0.975;
  const AssoOptions options{{0.3, 0.6, 0.9}, {std::log(p1 / p0), std::log((1.0 - p0) / (1.0 - p1))}};
  const std::vector<BitMatrix> seeds = association_seeds(merged, 5, options, {});
  const std::vector<GreedyCover> covers = association_covers(merged, 5, options, {});
  ASSERT_EQ(seeds.size(), 3U);
  for (std::size_t i = 0; i < seeds.size(); ++i) {
    EXPECT_EQ(seeds[i], covers[i].result.roles);
    EXPECT_EQ(seeds[i].rows(), 5U);
    EXPECT_EQ(seeds[i].columns(), merged.bits.columns());
  }
}

TEST(Asso, AShareOfExactlyTheThresholdCounts) {
  // 3 of the 10 users of either permission hold the other.
  std::vector<std::string_view> rows(7, "10");
  rows.insert(rows.end(), 3, "11");
  rows.insert(rows.end(), 7, "01");
  const MergedMatrix data = merge_equal(bits_of(rows));
  EXPECT_EQ(association_seeds(data, 1, {{0.3}, {1.0, 0.1}}, {})[0], bits_of({"11"}));
  EXPECT_EQ(association_seeds(data, 1, {{0.31}, {1.0, 0.1}}, {})[0], bits_of({"10"}));
}

TEST(Asso, RefusesThresholdsThatAreNoShares) {
  const MergedMatrix data = merge_equal(bits_of({"10"}));
  EXPECT_EQ(error_of([&] { asso(data, 1, {{0.5, 0.0}, {}}, {}); }, ErrorKind::usage), "tau = 0 is outside (0, 1]");
  EXPECT_EQ(error_of(
                [&] {
                  asso(data, 1, {{}, {}}, {});
                },
                ErrorKind::usage),
            "taus: there are none; at least one is needed");
}

}  // namespace
}  // namespace motet::roles::asso_test
