#include "motet/superset/neighbours/neighbours.h"

#include <gtest/gtest.h>

#include <cmath>

#include "motet/base/rng.h"
#include "support/threads.h"

namespace motet::superset::neighbours_test {
namespace {

TEST(SupersetNeighbours, TheNearestComeFirstAndTheLowerRowAmongEquals) {
  const std::vector<double> memory{0.0, 3.0, 1.0, 1.0};
  const NearestRows near = nearest(memory, std::vector<double>{1.0}, 1, 3, false, {1});
  EXPECT_EQ(near.row, (std::vector<std::uint32_t>{2, 3, 0}));
  EXPECT_NEAR(near.distance[2], 1.0, 1e-12);
}

TEST(SupersetNeighbours, ARowIsNoNeighbourOfItsOwn) {
  const std::vector<double> memory{0.0, 1.0, 5.0};
  const NearestRows near = nearest(memory, memory, 1, 10, true, {1});
  EXPECT_EQ(near.each, 2U);
  EXPECT_EQ(near.row, (std::vector<std::uint32_t>{1, 2, 0, 2, 1, 0}));
}

TEST(SupersetNeighbours, AreThoseOfASortOfAllDistances) {
  constexpr std::size_t stored = 150, asked = 130, dimensions = 3, k = 7;  // asked: three tasks
  Rng rng(Seed{1});
  std::vector<double> memory(stored * dimensions), x(asked * dimensions);
  for (double& value : memory) value = rng.normal();
  for (double& value : x) value = rng.normal();
  const NearestRows near = nearest(memory, x, dimensions, k, false, {1});
  ASSERT_EQ(near.each, k);
  for (std::size_t n = 0; n < asked; ++n) {
    std::vector<std::pair<double, std::uint32_t>> all;
    for (std::uint32_t j = 0; j < stored; ++j) {
      double square = 0.0;
      for (std::size_t d = 0; d < dimensions; ++d) {
        square += std::pow(x[n * dimensions + d] - memory[j * dimensions + d], 2);
      }
      all.emplace_back(std::sqrt(square), j);
    }
    std::sort(all.begin(), all.end());
    for (std::size_t j = 0; j < k; ++j) {
      EXPECT_EQ(near.row[n * k + j], all[j].second) << n;
      EXPECT_NEAR(near.distance[n * k + j], all[j].first, 1e-12);
    }
  }
  StartedThreads started(2);
  EXPECT_EQ(nearest(memory, x, dimensions, k, false, started).distance, near.distance);
}

TEST(SupersetNeighbours, AnEmptyMemoryAndARowAloneHaveNone) {
  EXPECT_EQ(nearest({}, std::vector<double>{1.0}, 1, 3, false, {1}).each, 0U);
  EXPECT_EQ(nearest(std::vector<double>{1.0}, std::vector<double>{1.0}, 1, 3, true, {1}).each, 0U);
}

}  // namespace
}  // namespace motet::superset::neighbours_test
