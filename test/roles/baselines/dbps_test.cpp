#include "motet/roles/baselines/dbps.h"

#include <gtest/gtest.h>

#include "roles/planted_cases.h"
#include "support/threads.h"

namespace motet::roles::dbps_test {
namespace {

TEST(Dbps, CandidatesAreRowsAndIntersectionsByFrequency) {
  const MergedMatrix data = merge_equal(bits_of({"1110", "1110", "0111", "1000"}), {.rows = true, .columns = false});
  // 1110: its two users alone and together; 1000: one user alone and with two others; 0110: two pairs.
  EXPECT_EQ(dbps_candidates(data, {}, {}), bits_of({"1110", "1000", "0110", "0111", "0000"}));
}

TEST(Dbps, KeepsOnlyTheMostFrequent) {
  const MergedMatrix data = merge_equal(random_bits(60, 30, 0.4, Rng(Seed{1})));
  const BitMatrix all = dbps_candidates(data, {.most_candidates = 100'000}, {});
  const BitMatrix some = dbps_candidates(data, {.most_candidates = 10}, {});
  ASSERT_EQ(some.rows(), 10U);
  for (std::size_t c = 0; c < 10; ++c) EXPECT_EQ(difference(all, c, some, c), 0U);
  EXPECT_LE(dbps_candidates(data, {.most_rows = 5}, {}).rows(), 15U);
}

TEST(Dbps, IsExactOnOrthogonalRoles) {
  const BitMatrix sources = chapter9_sources(Chapter9Sources::orthogonal);
  for (const double noise : {0.0, 0.15}) {
    const PlantedAccess data = chapter9_data(sources, {.noise_fraction = noise}, Rng(Seed{1}));
    const MergedMatrix merged = merge_equal(data.access.held);
    EXPECT_EQ(role_error(unmerged(dbps(merged, 3, {}, {}), merged).roles, sources), 0.0) << noise;
  }
}

TEST(Dbps, TakesTheUnionOfOverlappingRolesForARole) {
  // Without noise {1,2} explains more cells at once than {1}: the confusion of section 9.3.
  const BitMatrix sources = chapter9_sources(Chapter9Sources::overlapping);
  const PlantedAccess data = chapter9_data(sources, {}, Rng(Seed{1}));
  const MergedMatrix merged = merge_equal(data.access.held);
  const Factorization found = unmerged(dbps(merged, 3, {}, {}), merged);
  EXPECT_EQ(found.roles.count(0), 17U);
  EXPECT_GT(role_error(found.roles, sources), 0.15);
}

TEST(Dbps, DoesNotCareForMerging) {
  const PlantedAccess data = simulate_access({.users = 150, .permissions = 40, .noise_fraction = 0.02}, Rng(Seed{5}));
  const MergedMatrix merged = merge_equal(data.access.held);
  const MergedMatrix apart = merge_equal(data.access.held, {.rows = false, .columns = false});
  EXPECT_EQ(dbps(apart, 6, {}, {}), unmerged(dbps(merged, 6, {}, {}), merged));
}

TEST(Dbps, IsTheSameOnAnyNumberOfThreads) {
  const PlantedAccess data = simulate_access({.noise_fraction = 0.2}, Rng(Seed{6}));
  const MergedMatrix merged = merge_equal(data.access.held);
  const Factorization one = dbps(merged, 6, {}, with_threads({1}));
  EXPECT_EQ(dbps(merged, 6, {}, with_threads(StartedThreads(2))), one);
  EXPECT_EQ(dbps(merged, 6, {}, with_threads(StartedThreads(4))), one);
}

}  // namespace
}  // namespace motet::roles::dbps_test
