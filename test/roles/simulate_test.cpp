#include "motet/roles/simulate.h"

#include <gtest/gtest.h>

#include <cmath>
#include <set>

#include "planted_cases.h"
#include "support/errors.h"

namespace motet::roles::simulate_test {
namespace {

double share(std::size_t part, std::size_t whole) { return static_cast<double>(part) / static_cast<double>(whole); }

TEST(SimulateAccess, HasTheShapeThatWasAskedFor) {
  const PlantedAccess data = simulate_access(
      {.users = 50, .permissions = 40, .roles = 5, .max_roles_per_user = 3, .role_density = 0.2, .noise_fraction = 0.0},
      Rng(Seed{1}));
  EXPECT_EQ(data.access.user_count(), 50U);
  EXPECT_EQ(data.access.permission_count(), 40U);
  EXPECT_EQ(data.access.users[49], "u50");
  EXPECT_EQ(data.access.permissions[0], "p1");
  EXPECT_FALSE(data.attributes.has_value());
  for (std::size_t k = 0; k < 5; ++k) EXPECT_EQ(data.roles.count(k), 8U);
  for (std::size_t n = 0; n < 50; ++n) {
    EXPECT_GE(data.assignments.count(n), 1U);
    EXPECT_LE(data.assignments.count(n), 3U);
  }
  EXPECT_EQ(data.clean, boolean_product(data.assignments, data.roles));
  EXPECT_EQ(data.access.held, data.clean);
}

TEST(SimulateAccess, NoiseIsThatOfTheMixture) {
  const double e = 0.3;
  const double r = 0.2;
  const PlantedAccess data =
      simulate_access({.users = 2000, .permissions = 100, .noise_fraction = e, .set_probability = r}, Rng(Seed{2}));
  std::size_t count[2] = {0, 0};  // cells by clean value
  std::size_t held[2] = {0, 0};
  for (std::size_t n = 0; n < 2000; ++n) {
    for (std::size_t d = 0; d < 100; ++d) {
      ++count[data.clean(n, d) ? 1 : 0];
      held[data.clean(n, d) ? 1 : 0] += data.access.held(n, d) ? 1U : 0U;
    }
  }
  constexpr double four_errors = 4.0 * 0.5 / 200.0;  // of a share of at least 40000 cells, at most
  EXPECT_NEAR(share(held[0], count[0]), e * r, four_errors);
  EXPECT_NEAR(share(held[1], count[1]), 1.0 - e * (1.0 - r), four_errors);
}

TEST(SimulateAccess, MoreUsersLeaveTheFirstOnesAlone) {
  const SimulateAccessOptions few{.users = 20, .attribute_values = 3};
  SimulateAccessOptions more = few;
  more.users = 30;
  const PlantedAccess a = simulate_access(few, Rng(Seed{3}));
  const PlantedAccess b = simulate_access(more, Rng(Seed{3}));
  EXPECT_EQ(a.roles, b.roles);
  for (std::size_t n = 0; n < 20; ++n) {
    EXPECT_EQ(difference(a.access.held, n, b.access.held, n), 0U);
    EXPECT_EQ(a.attributes->of(n, 0), b.attributes->of(n, 0));
  }
}

TEST(SimulateAccess, DepartmentsHaveFewTypicalSets) {
  const auto sets_of_first = [](double coupling) {
    const PlantedAccess data = simulate_access(
        {.users = 600, .roles = 10, .max_roles_per_user = 3, .attribute_values = 4, .coupling = coupling},
        Rng(Seed{4}));
    std::set<std::vector<std::uint64_t>> sets;
    for (std::size_t n = 0; n < 600; ++n) {
      if (data.attributes->of(n, 0) != 0) continue;
      sets.emplace(data.assignments.row(n).begin(), data.assignments.row(n).end());
    }
    return sets.size();
  };
  EXPECT_LE(sets_of_first(1.0), 3U);
  EXPECT_GT(sets_of_first(0.0), 50U);
}

TEST(SimulateAccess, TellingNamesAreAllDifferent) {
  const PlantedAccess data =
      simulate_access({.users = 2000, .permissions = 300, .attribute_values = 30, .telling_names = true}, Rng(Seed{5}));
  std::set<std::string_view> names;
  for (std::size_t n = 0; n < 2000; ++n) names.insert(data.access.users[n]);
  EXPECT_EQ(names.size(), 2000U);
  names.clear();
  for (std::size_t d = 0; d < 300; ++d) names.insert(data.access.permissions[d]);
  EXPECT_EQ(names.size(), 300U);
  EXPECT_EQ(data.access.users[0], "anna.a");
  EXPECT_EQ(data.access.permissions[0], "mail.read");
  EXPECT_EQ(data.attributes->values[0][12], "sales2");
}

TEST(SimulateAccess, RefusesANoiseAboveOne) {
  EXPECT_EQ(error_of([] { simulate_access({.noise_fraction = 1.5}, Rng(Seed{1})); }, ErrorKind::usage),
            "--noise-fraction 1.5 is outside [0, 1]");
}

TEST(Chapter9Data, HasItsSourcesAndLabelSets) {
  EXPECT_EQ(chapter9_sources(Chapter9Sources::orthogonal),
            bits_of({"111111110000000000000000", "000000001111111100000000", "000000000000000011111111"}));
  const BitMatrix sources = chapter9_sources(Chapter9Sources::overlapping);
  EXPECT_EQ(sources, bits_of({"111111111100000000000000", "000000011111111110000000", "000000000000001111111111"}));
  const PlantedAccess data = chapter9_data(sources, {.single_items = 3, .multiple_items = 2}, Rng(Seed{1}));
  EXPECT_EQ(data.assignments, bits_of({"000", "000", "000", "100", "100", "100", "010", "010", "010", "001", "001",
                                       "001", "110", "110", "101", "101", "011", "011"}));
  EXPECT_EQ(data.access.held, boolean_product(data.assignments, sources));
}

TEST(Chapter9Data, NoiseRisesOverThePermissions) {
  const PlantedAccess data = chapter9_data(chapter9_sources(Chapter9Sources::orthogonal),
                                           {.single_items = 2000,
                                            .multiple_items = 2000,
                                            .noise_fraction = 0.4,
                                            .set_probability = 0.5,
                                            .rising_noise = true},
                                           Rng(Seed{2}));
  for (std::size_t d = 0; d < 24; ++d) {
    std::size_t flipped = 0;
    for (std::size_t n = 0; n < 14'000; ++n) flipped += data.access.held(n, d) != data.clean(n, d) ? 1U : 0U;
    const double expected = 0.5 * 0.8 * static_cast<double>(d) / 23.0;
    EXPECT_NEAR(share(flipped, 14'000), expected, 4.0 * std::sqrt(0.25 / 14'000.0)) << d;  // four standard errors
  }
}

}  // namespace
}  // namespace motet::roles::simulate_test
