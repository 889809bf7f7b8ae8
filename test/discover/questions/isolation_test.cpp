#include "motet/discover/questions/isolation.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "discover/search_cases.h"
#include "motet/discover/questions/scaled_rows.h"
#include "support/errors.h"

namespace motet::discover::isolation_test {
namespace {

std::size_t count(const std::vector<std::uint8_t>& flags) {
  return static_cast<std::size_t>(std::count(flags.begin(), flags.end(), std::uint8_t{1}));
}

TEST(Isolation, IsFarFromTheNearestRows) {
  Features features = noise_rows(400, 2, Seed{1});
  features.values[2 * 100] = 40.0;
  features.values[2 * 300 + 1] = -40.0;
  const std::vector<std::uint8_t> isolated = isolated_rows(features, 5, 3, 0, {});
  EXPECT_EQ(isolated[100], 1);
  EXPECT_EQ(isolated[300], 1);
  EXPECT_LT(count(isolated), 30U);
}

TEST(Isolation, IsTheDefinitionWhereItIsExact) {
  const Features features = noise_rows(450, 3, Seed{2});  // all rows are drawn for the median
  const ScaledRows rows(features);
  std::vector<double> fifth(450);
  for (std::size_t n = 0; n < 450; ++n) {
    std::vector<double> distances;
    for (std::size_t i = 0; i < 450; ++i) {
      if (i != n) distances.push_back(rows.squared_distance(n, i));
    }
    std::nth_element(distances.begin(), distances.begin() + 4, distances.end());
    fifth[n] = distances[4];
  }
  std::vector<double> sorted = fifth;
  std::sort(sorted.begin(), sorted.end());
  // A radius of 0 leaves no room for oddness that lasts.
  const std::vector<std::uint8_t> isolated = isolated_rows(features, 5, 0, 0, {});
  for (std::size_t n = 0; n < 450; ++n) EXPECT_EQ(isolated[n] == 1, fifth[n] > 9.0 * sorted[225]) << n;
}

TEST(Isolation, OddnessThatLastsIsAnEvent) {
  Features features = noise_rows(400, 2, Seed{3});
  Rng rng(Seed{4});
  for (std::size_t n = 200; n < 212; ++n) {
    for (std::size_t d = 0; d < 2; ++d) features.values[2 * n + d] = 30.0 * rng.normal();
  }
  const std::vector<std::uint8_t> isolated = isolated_rows(features, 5, 6, 0, {});
  EXPECT_EQ(std::count(isolated.begin() + 200, isolated.begin() + 212, std::uint8_t{1}), 0);
}

TEST(Isolation, SaysNothingOfSilenceOrFewRows) {
  EXPECT_EQ(count(isolated_rows(features_of(std::vector<double>(100, 1.0), 1), 5, 3, 0, {})), 0U);
  Features mostly_silent = features_of(std::vector<double>(100, 0.0), 1);
  mostly_silent.values[50] = 1.0;
  EXPECT_EQ(count(isolated_rows(mostly_silent, 5, 3, 0, {})), 0U);
  EXPECT_EQ(isolated_rows(noise_rows(4, 2, Seed{5}), 5, 3, 0, {}).size(), 4U);
  EXPECT_EQ(count(isolated_rows(noise_rows(400, 2, Seed{1}), 0, 3, 0, {})), 0U);
}

TEST(Isolation, NewRowsAreLookedAtAmongAll) {
  Features features = noise_rows(400, 2, Seed{6}, {300, 100});
  features.values[2 * 350] = 50.0;
  const std::vector<std::uint8_t> isolated = isolated_rows(features, 5, 3, 300, {});
  EXPECT_EQ(isolated.size(), 100U);
  EXPECT_EQ(isolated[50], 1);
}

}  // namespace
}  // namespace motet::discover::isolation_test
