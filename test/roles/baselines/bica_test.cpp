#include "motet/roles/baselines/bica.h"

#include <gtest/gtest.h>

#include "roles/planted_cases.h"
#include "support/threads.h"

namespace motet::roles::bica_test {
namespace {

Factorization bica_of(const BitMatrix& held, std::size_t roles, const RunContext& run = {}) {
  const MergedMatrix data = merge_equal(held);
  return unmerged(bica(data, roles, {}, run), data);
}

// Groups of seven permissions, ten without a role, roles independent of each other.
BitMatrix independent_roles(double noise, Rng rng, BitMatrix& roles) {
  constexpr std::size_t groups = 6;
  roles = BitMatrix(groups, groups * 7 + 10);
  for (std::size_t d = 0; d < groups * 7; ++d) roles.set(d / 7, d);
  BitMatrix held = boolean_product(random_bits(300, groups, 0.3, rng.child(0)), roles);
  Rng draw = rng.child(1);
  for (std::size_t n = 0; n < held.rows(); ++n) {
    for (std::size_t d = 0; d < held.columns(); ++d) {
      if (draw.uniform() < noise) held.set(n, d, draw.uniform() < 0.3);
    }
  }
  return held;
}

TEST(Bica, FindsGroupsAndLeavesOutTheRest) {
  for (const double noise : {0.0, 0.2, 0.4}) {
    BitMatrix roles;
    const BitMatrix held = independent_roles(noise, Rng(Seed{3}), roles);
    EXPECT_EQ(role_error(bica_of(held, 6).roles, roles), 0.0) << noise;
  }
}

TEST(Bica, EstimatesTheNoise) {
  BitMatrix roles;
  const BitMatrix held = independent_roles(0.4, Rng(Seed{4}), roles);
  const BicaFit fit = fit_bica(merge_equal(held), 6, {}, {});
  // 300 x 52 cells, some 4000 of them granted: four standard errors of a share.
  EXPECT_NEAR(fit.p0, 0.4 * 0.3, 0.013);
  EXPECT_NEAR(fit.p1, 1.0 - 0.4 * 0.7, 0.03);
}

TEST(Bica, RolesNeverShareAPermission) {
  const PlantedAccess data = simulate_access({.noise_fraction = 0.1}, Rng(Seed{5}));
  const BitMatrix roles = bica_of(data.access.held, 6).roles;
  for (std::size_t d = 0; d < roles.columns(); ++d) {
    std::size_t in = 0;
    for (std::size_t k = 0; k < roles.rows(); ++k) in += roles(k, d) ? 1U : 0U;
    EXPECT_LE(in, 1U);
  }
}

TEST(Bica, LosesExactlyTheSharedPermissionsOfOverlappingSources) {
  // Dimensions 7-9 and 14-16 belong to two sources each; only one of them can have them: 6 bits of 72.
  const BitMatrix sources = chapter9_sources(Chapter9Sources::overlapping);
  const PlantedAccess data = chapter9_data(sources, {.noise_fraction = 0.15}, Rng(Seed{1}));
  EXPECT_DOUBLE_EQ(role_error(bica_of(data.access.held, 3).roles, sources), 6.0 / 72.0);
}

TEST(Bica, MoreIterationsAreNeverLessLikely) {
  const MergedMatrix data = merge_equal(simulate_access({.noise_fraction = 0.3}, Rng(Seed{6})).access.held);
  double before = -1e300;
  for (std::size_t steps = 1; steps <= 30; ++steps) {
    const double now = fit_bica(data, 6, {.starts = 1, .max_iterations = steps}, {}).log_likelihood;
    EXPECT_GE(now, before - 1e-9 * std::abs(before)) << steps;
    before = now;
  }
}

TEST(Bica, DoesNotCareForMergingOrOrder) {
  BitMatrix roles;
  const BitMatrix held = independent_roles(0.3, Rng(Seed{7}), roles);
  const Factorization straight = bica_of(held, 6);
  const MergedMatrix apart = merge_equal(held, {.rows = false, .columns = false});
  EXPECT_EQ(role_error(bica(apart, 6, {}, {}).roles, straight.roles), 0.0);
  const std::vector<std::uint32_t> users = shuffled(held.rows(), Rng(Seed{1}));
  const std::vector<std::uint32_t> permissions = shuffled(held.columns(), Rng(Seed{2}));
  const Factorization turned = bica_of(held.rows_of(users).columns_of(permissions), 6);
  EXPECT_EQ(role_error(turned.roles, straight.roles.columns_of(permissions)), 0.0);
}

TEST(Bica, IsTheSameOnAnyNumberOfThreads) {
  const PlantedAccess data = simulate_access({.noise_fraction = 0.2}, Rng(Seed{8}));
  const Factorization one = bica_of(data.access.held, 6, with_threads({1}));
  EXPECT_EQ(bica_of(data.access.held, 6, with_threads(StartedThreads(2))), one);
  EXPECT_EQ(bica_of(data.access.held, 6, with_threads(StartedThreads(4))), one);
}

TEST(Bica, BearsDataThatSayNothing) {
  EXPECT_EQ(bica_of(BitMatrix(5, 4), 2).roles.rows(), 2U);
  EXPECT_EQ(bica_of(bits_of({"1111", "1111"}), 3).roles.rows(), 3U);
  EXPECT_EQ(bica_of(bits_of({"1"}), 1).assignments.rows(), 1U);
}

}  // namespace
}  // namespace motet::roles::bica_test
