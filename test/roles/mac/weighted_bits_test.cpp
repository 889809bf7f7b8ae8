#include "motet/roles/mac/weighted_bits.h"

#include <gtest/gtest.h>

#include "roles/planted_cases.h"
#include "support/errors.h"
#include "support/processor.h"
#include "support/threads.h"

namespace motet::roles::weighted_bits_test {
namespace {

TEST(WeightedBits, CountsAsIfColumnsWereRepeated) {
  Rng rng(Seed{3});
  std::vector<double> weights;
  for (std::size_t d = 0; d < 150; ++d) weights.push_back(static_cast<double>(1 + rng.below(d % 5 == 0 ? 1000 : 2)));
  const BitMatrix bits = random_bits(20, weights.size(), 0.3, rng);
  const WeightLayout layout(weights);
  const BitMatrix arranged = layout.arranged(bits);
  const std::vector<std::int64_t> common = common_weights(arranged, layout, {});
  for (std::size_t i = 0; i < bits.rows(); ++i) {
    for (std::size_t j = 0; j < bits.rows(); ++j) {
      double expected = 0.0;
      for (std::size_t d = 0; d < weights.size(); ++d) expected += bits(i, d) && bits(j, d) ? weights[d] : 0.0;
      EXPECT_EQ(static_cast<double>(common[i * bits.rows() + j]), expected);
    }
    EXPECT_EQ(layout.weight(arranged.row(i)), common[i * bits.rows() + i]);
  }
}

TEST(WeightedBits, OfWeightOneAreAsManyWords) {
  EXPECT_EQ(WeightLayout(std::vector<double>(130, 1.0)).words(), 3U);
  EXPECT_EQ(WeightLayout(std::vector<double>{1.0, 7.0}).words(), 3U);  // 1, 2 and 4
}

TEST(WeightedBits, RefuseAShareOfARow) {
  EXPECT_EQ(error_of(
                [] {
                  WeightLayout(std::vector<double>{1.0, 0.5});
                },
                ErrorKind::usage),
            "weight = 0.5 is not a whole number from 1 to 2^40");
}

TEST(WeightedBits, AreTheSameAtEveryLevelOfTheProcessor) {
  Rng rng(Seed{4});
  std::vector<double> weights;
  for (std::size_t d = 0; d < 150; ++d) weights.push_back(static_cast<double>(1 + rng.below(1000)));
  const WeightLayout layout(weights);
  const BitMatrix arranged = layout.arranged(random_bits(53, weights.size(), 0.3, rng));
  expect_same_bits_at_every_level([&] { return common_weights(arranged, layout, with_threads({1})); });
}

TEST(WeightedBits, AreTheSameOnAnyNumberOfThreads) {
  const WeightLayout layout(std::vector<double>(70, 3.0));
  const BitMatrix arranged = layout.arranged(random_bits(200, 70, 0.3, Rng(Seed{5})));
  const std::vector<std::int64_t> one = common_weights(arranged, layout, with_threads({1}));
  EXPECT_EQ(common_weights(arranged, layout, with_threads(StartedThreads(4))), one);
}

}  // namespace
}  // namespace motet::roles::weighted_bits_test
