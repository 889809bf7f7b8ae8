#include "motet/base/rng.h"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "motet/base/error.h"

namespace motet::rng_test {
namespace {

TEST(Rng, SameNumbersEverywhere) {
  Rng rng(Seed{1});
  // Reference values of splitmix64 with state 1, from its published definition.
  EXPECT_EQ(rng.next(), 0x910A2DEC89025CC1U);
  EXPECT_EQ(rng.next(), 0xBEEB8DA1658EEC67U);
}

TEST(Rng, ChildStreamsDifferAndLeaveTheParentAlone) {
  const Rng parent(Seed{5});
  EXPECT_NE(parent.child(0).next(), parent.child(1).next());
  EXPECT_EQ(parent.child(3).next(), parent.child(3).next());
}

TEST(Rng, DistributionsHaveTheirMoments) {
  constexpr int count = 200'000;
  constexpr double four_errors = 4.0 / std::sqrt(static_cast<double>(count));  // a standard error is sd / sqrt(n)
  Rng rng(Seed{2});
  double sum = 0.0;
  double squares = 0.0;
  for (int i = 0; i < count; ++i) {
    const double x = rng.normal();
    sum += x;
    squares += x * x;
  }
  EXPECT_NEAR(sum / count, 0.0, four_errors);
  EXPECT_NEAR(squares / count, 1.0, four_errors * std::sqrt(2.0));
  const std::vector<double> weights = {1.0, 0.0, 3.0};
  std::vector<int> hits(3);
  for (int i = 0; i < count; ++i) ++hits[rng.categorical(weights)];
  EXPECT_EQ(hits[1], 0);
  EXPECT_NEAR(static_cast<double>(hits[2]) / count, 0.75, four_errors * std::sqrt(0.75 * 0.25));
}

TEST(Rng, BelowIsInRangeAndReachesAll) {
  Rng rng(Seed{3});
  std::vector<int> hits(7);
  for (int i = 0; i < 1000; ++i) ++hits[rng.below(7)];
  for (const int hit : hits) EXPECT_GT(hit, 0);
  EXPECT_THROW(rng.below(0), Error);
}

}  // namespace
}  // namespace motet::rng_test
