#include "motet/judges/tied/error_blocks.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "motet/base/rng.h"

namespace motet::judges::error_blocks_test {
namespace {

std::vector<double> random_numbers(std::size_t count, double low, double high, Seed seed) {
  Rng rng(seed);
  std::vector<double> numbers(count);
  for (double& number : numbers) number = rng.uniform(low, high);
  return numbers;
}

const std::vector<ErrorPair> chain = {{1, 3}, {0, 3}};

TEST(ErrorBlocks, LinkedJudgesFormABlock) {
  const std::vector<ErrorBlock> blocks = make_blocks(5, chain);
  ASSERT_EQ(blocks.size(), 3U);
  EXPECT_EQ(blocks[0].judges, (std::vector<std::size_t>{0, 1, 3}));
  EXPECT_EQ(blocks[0].pairs, (std::vector<std::size_t>{0, 1}));
  EXPECT_EQ(blocks[1].judges, (std::vector<std::size_t>{2}));
  EXPECT_EQ(blocks[2].judges, (std::vector<std::size_t>{4}));
  EXPECT_EQ(largest_block(5, chain), 3U);
}

TEST(ErrorBlocks, CellsSumTheirPatterns) {
  const ErrorBlock block = make_blocks(4, chain)[0];
  const PatternLaw law = pattern_law(block, random_numbers(5, -1.0, 1.0, Seed{1}));
  const std::vector<double> cells = sum_out_missing(3, law.probability);
  for (std::size_t cell = 0; cell < cells.size(); ++cell) {
    double sum = 0.0;
    for (std::size_t s = 0; s < 8; ++s) {
      bool allowed = true;
      for (std::size_t t = 0, rest = cell; t < 3; ++t, rest /= 3) {
        allowed = allowed && (rest % 3 == 2 || rest % 3 == (s >> t & 1U));
      }
      sum += allowed ? law.probability[s] : 0.0;
    }
    EXPECT_NEAR(cells[cell], sum, 1e-15);
  }
  EXPECT_NEAR(cells.back(), 1.0, 1e-15);
}

TEST(ErrorBlocks, SummingBothWaysIsTheSameProduct) {
  const std::vector<double> patterns = random_numbers(8, 0.0, 1.0, Seed{2});
  const std::vector<double> cells = random_numbers(27, 0.0, 1.0, Seed{3});
  const std::vector<double> up = sum_out_missing(3, patterns);
  const std::vector<double> down = sum_over_cells(3, cells);
  double by_cell = 0.0;
  double by_pattern = 0.0;
  for (std::size_t i = 0; i < cells.size(); ++i) by_cell += cells[i] * up[i];
  for (std::size_t i = 0; i < patterns.size(); ++i) by_pattern += patterns[i] * down[i];
  EXPECT_NEAR(by_cell, by_pattern, 1e-12);
}

// Central differences of step h err by h^2 times third derivatives of size N.
TEST(ErrorBlocks, DerivativesAreThoseOfTheValue) {
  constexpr double h = 1e-5;
  constexpr double tolerance = 1e-5;
  const ErrorBlock block = make_blocks(4, chain)[0];
  const PatternCounts counts{random_numbers(8, 0.0, 20.0, Seed{4}), 0.0};
  PatternCounts filled = counts;
  for (const double count : counts.count) filled.total += count;
  const ErrorPenalty penalty{0.5, 0.7, 1.0};
  const std::vector<double> theta = random_numbers(5, -0.8, 0.8, Seed{5});
  const BlockObjective here = block_objective(block, theta, filled, penalty);
  for (std::size_t i = 0; i < theta.size(); ++i) {
    std::vector<double> up = theta;
    std::vector<double> down = theta;
    up[i] += h;
    down[i] -= h;
    const BlockObjective above = block_objective(block, up, filled, penalty);
    const BlockObjective below = block_objective(block, down, filled, penalty);
    EXPECT_NEAR(here.gradient[i], (above.value - below.value) / (2.0 * h), tolerance);
    for (std::size_t j = 0; j < theta.size(); ++j) {
      EXPECT_NEAR(-here.curvature[i * theta.size() + j], (above.gradient[j] - below.gradient[j]) / (2.0 * h),
                  tolerance);
    }
  }
}

TEST(ErrorBlocks, MaximisingNeverLowersAndEndsFlat) {
  const ErrorBlock block = make_blocks(4, chain)[0];
  PatternCounts counts{random_numbers(8, 0.0, 50.0, Seed{6}), 0.0};
  for (const double count : counts.count) counts.total += count;
  const ErrorPenalty penalty{};
  std::vector<double> theta = random_numbers(5, -3.0, 3.0, Seed{7});
  double before = block_objective(block, theta, counts, penalty).value;
  for (int step = 0; step < 10; ++step) {
    theta = maximise_block(block, theta, counts, penalty);
    const double after = block_objective(block, theta, counts, penalty).value;
    EXPECT_GE(after, before - 1e-10);
    before = after;
  }
  for (const double slope : block_objective(block, theta, counts, penalty).gradient) EXPECT_NEAR(slope, 0.0, 1e-6);
}

TEST(ErrorBlocks, PatternsNeverSeenDoNotBlowUp) {
  const ErrorBlock block = make_blocks(2, std::vector<ErrorPair>{{0, 1}})[0];
  const PatternCounts counts{{30.0, 0.0, 0.0, 70.0}, 100.0};  // always right or wrong together
  std::vector<double> theta = {0.0, 0.0, 0.0};
  for (int step = 0; step < 50; ++step) theta = maximise_block(block, theta, counts, {});
  for (const double value : theta) EXPECT_LT(std::abs(value), 4.0);
  std::vector<double> free = {0.0, 0.0, 0.0};
  const ErrorPenalty none{0.0, std::numeric_limits<double>::infinity(), 0.0};
  for (int step = 0; step < 50; ++step) free = maximise_block(block, free, counts, none);
  for (const double value : free) EXPECT_TRUE(std::isfinite(value));
}

}  // namespace
}  // namespace motet::judges::error_blocks_test
