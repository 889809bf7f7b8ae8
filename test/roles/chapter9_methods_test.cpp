// The methods of chapter 9 beside multi-assignment clustering, on its synthetic sources.
//
// Figures are a_1 errors of the role matrix (wrong bits of 72), mean of ten data sets of 350 users,
// mixture noise with r = 0.5. Ours come from another random stream and other thresholds than those we
// compare with, whose standard errors are .006 to .010: a tolerance of .03 is three of them and more.
#include <gtest/gtest.h>

#include "motet/roles/baselines/asso.h"
#include "motet/roles/baselines/bica.h"
#include "motet/roles/baselines/dbps.h"
#include "motet/roles/baselines/ino.h"
#include "planted_cases.h"

namespace motet::roles::chapter9_methods_test {
namespace {

constexpr double tolerance = 0.03;

struct Errors {
  double mean = 0.0;
  std::size_t exact = 0;
};

template <class Method>
Errors errors_of(Chapter9Sources kind, double noise, std::size_t sets, const Method& method) {
  const BitMatrix sources = chapter9_sources(kind);
  Errors errors;
  for (std::size_t i = 0; i < sets; ++i) {
    const PlantedAccess data = chapter9_data(sources, {.noise_fraction = noise}, Rng(Seed{100 + i}));
    const double error = role_error(method(data.access.held), sources);
    errors.mean += error / static_cast<double>(sets);
    errors.exact += error == 0.0 ? 1U : 0U;
  }
  return errors;
}

BitMatrix asso_roles(const BitMatrix& held) {
  const MergedMatrix data = merge_equal(held);
  return unmerged(asso(data, 3, {}, {}), data).roles;
}

BitMatrix dbps_roles(const BitMatrix& held) {
  const MergedMatrix data = merge_equal(held);
  return unmerged(dbps(data, 3, {}, {}), data).roles;
}

BitMatrix bica_roles(const BitMatrix& held) {
  const MergedMatrix data = merge_equal(held);
  return unmerged(bica(data, 3, {}, {}), data).roles;
}

// The three most used of as many as it finds.
BitMatrix ino_roles(const BitMatrix& held) {
  const BitMatrix roles = ino(held, {}, {}).roles;
  std::vector<std::uint32_t> first;
  for (std::uint32_t k = 0; k < std::min<std::size_t>(3, roles.rows()); ++k) first.push_back(k);
  return roles.rows_of(first);
}

TEST(Chapter9MethodsSlow, AssoIsExactWithLittleNoiseAndThenFailsSlowly) {
  EXPECT_EQ(errors_of(Chapter9Sources::overlapping, 0.0, 10, asso_roles).exact, 10U);
  EXPECT_EQ(errors_of(Chapter9Sources::overlapping, 0.15, 10, asso_roles).exact, 10U);
  EXPECT_NEAR(errors_of(Chapter9Sources::overlapping, 0.3, 10, asso_roles).mean, 0.026, tolerance);
  EXPECT_NEAR(errors_of(Chapter9Sources::overlapping, 0.45, 10, asso_roles).mean, 0.076, tolerance);
  EXPECT_NEAR(errors_of(Chapter9Sources::overlapping, 0.6, 10, asso_roles).mean, 0.149, tolerance);
}

TEST(Chapter9MethodsSlow, DbpsIsPoorOnOverlappingSourcesEvenWithoutNoise) {
  // Other implementations that keep other intersections have .194 and .117; what holds for all is
  // that noise-free data are the hardest, as unions of roles are then rows.
  const double without = errors_of(Chapter9Sources::overlapping, 0.0, 1, dbps_roles).mean;
  const double with = errors_of(Chapter9Sources::overlapping, 0.3, 10, dbps_roles).mean;
  EXPECT_NEAR(without, 0.194, 0.05);
  EXPECT_NEAR(with, 0.117, tolerance);
  EXPECT_EQ(errors_of(Chapter9Sources::orthogonal, 0.3, 10, dbps_roles).exact, 10U);
}

TEST(Chapter9MethodsSlow, BicaIsExactOnOrthogonalSourcesToTwoThirdsNoise) {
  for (const double noise : {0.0, 0.3, 0.6, 0.65}) {  // the thesis: to .65
    EXPECT_GE(errors_of(Chapter9Sources::orthogonal, noise, 10, bica_roles).exact, 9U) << noise;
  }
}

TEST(Chapter9MethodsSlow, BicaLosesTheSharedPermissionsOfOverlappingSourcesAtAnyNoise) {
  // 6 bits of 72 cannot be had; measured .083 to .45, .089 at .6, .181 at .7.
  for (const double noise : {0.0, 0.3, 0.45}) {
    const Errors errors = errors_of(Chapter9Sources::overlapping, noise, 10, bica_roles);
    EXPECT_EQ(errors.exact, 0U);
    EXPECT_NEAR(errors.mean, 6.0 / 72.0, 0.5 / 72.0) << noise;
  }
}

TEST(Chapter9MethodsSlow, InoIsExactOnOverlappingSources) {
  for (const double noise : {0.0, 0.3, 0.45}) {  // measured: exact in 5 of 5 to .6, in 4 of 5 at .65
    EXPECT_EQ(errors_of(Chapter9Sources::overlapping, noise, 5, ino_roles).exact, 5U) << noise;
  }
}

}  // namespace
}  // namespace motet::roles::chapter9_methods_test
