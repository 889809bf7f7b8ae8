#include "motet/data/stratified_split.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "data/bits.h"
#include "motet/base/error.h"

namespace motet {
namespace {

// Label k is in about one item of k + 2.
BitMatrix skewed_sets(std::size_t rows, std::size_t labels, Seed seed) {
  BitMatrix sets(rows, labels);
  Rng rng(seed);
  for (std::size_t n = 0; n < rows; ++n) {
    for (std::size_t k = 0; k < labels; ++k) {
      if (rng.below(k + 2) == 0) sets.set(n, k);
    }
  }
  return sets;
}

TEST(StratifiedSplit, EveryLabelAndEveryFoldKeepsItsShare) {
  const BitMatrix sets = skewed_sets(2000, 30, Seed{3});
  const std::vector<double> shares{1, 1, 1, 1, 1};
  const std::vector<std::uint32_t> fold = stratified_folds(sets, shares, Seed{1});
  std::vector<double> size(5);
  for (const std::uint32_t f : fold) ++size.at(f);
  for (const double s : size) EXPECT_NEAR(s, 400, 8);
  const BitMatrix by_label = sets.transposed();
  for (std::size_t k = 0; k < 30; ++k) {
    std::vector<double> count(5);
    for_each_bit(by_label.row(k), [&](std::size_t n) { ++count[fold[n]]; });
    const double wanted = static_cast<double>(by_label.count(k)) / 5.0;
    // Labels dealt last are bound by those before them; by lot they would be off by up to 3 sqrt(wanted).
    for (const double c : count) EXPECT_NEAR(c, wanted, 2.0 + std::sqrt(wanted)) << k;
  }
}

TEST(StratifiedSplit, SingleLabelsAreDealtOutExactly) {
  BitMatrix sets(60, 3);
  for (std::size_t n = 0; n < 60; ++n) sets.set(n, n < 6 ? 0 : n < 24 ? 1 : 2);
  const std::vector<double> shares{1, 1, 1};
  const std::vector<std::uint32_t> fold = stratified_folds(sets, shares, Seed{1});
  std::vector<int> count(9);
  for (std::size_t n = 0; n < 60; ++n) ++count[fold[n] * 3 + (n < 6 ? 0 : n < 24 ? 1 : 2)];
  EXPECT_EQ(count, (std::vector<int>{2, 6, 12, 2, 6, 12, 2, 6, 12}));
}

TEST(StratifiedSplit, SharesMayDifferAndNeedNotSumToOne) {
  const BitMatrix sets = skewed_sets(1000, 8, Seed{5});
  const std::vector<double> shares{3, 1};
  const std::vector<std::uint32_t> fold = stratified_folds(sets, shares, Seed{1});
  EXPECT_NEAR(static_cast<double>(std::count(fold.begin(), fold.end(), 0U)), 750, 10);
}

TEST(StratifiedSplit, ItemsWithoutLabelsFillTheFolds) {
  const std::vector<double> shares{1, 1};
  const std::vector<std::uint32_t> fold = stratified_folds(BitMatrix(10, 4), shares, Seed{1});
  EXPECT_EQ(std::count(fold.begin(), fold.end(), 0U), 5);
}

TEST(StratifiedSplit, SameSeedSameFoldsOtherSeedOthers) {
  const BitMatrix sets = skewed_sets(500, 10, Seed{7});
  const std::vector<double> shares{1, 1, 1};
  EXPECT_EQ(stratified_folds(sets, shares, Seed{2}), stratified_folds(sets, shares, Seed{2}));
  EXPECT_NE(stratified_folds(sets, shares, Seed{2}), stratified_folds(sets, shares, Seed{3}));
}

TEST(StratifiedSplit, NothingToSplitAndOneFold) {
  const std::vector<double> one{2};
  EXPECT_TRUE(stratified_folds(BitMatrix(0, 3), one, Seed{1}).empty());
  EXPECT_EQ(stratified_folds(bits_of({"101", "000"}), one, Seed{1}), (std::vector<std::uint32_t>{0, 0}));
}

TEST(StratifiedSplit, SharesMustBePositive) {
  const auto message = [](const std::vector<double>& shares) {
    try {
      stratified_folds(BitMatrix(2, 1), shares, Seed{1});
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::usage);
      return std::string(error.what());
    }
    return std::string();
  };
  EXPECT_EQ(message({0.5, 0.0}), "split: share = 0 is out of range; every share is above 0");
  EXPECT_EQ(message({std::nan("")}), "split: share = nan is out of range; every share is above 0");
  EXPECT_EQ(message({}), "split: there are no shares; at least one fold is needed");
}

}  // namespace
}  // namespace motet
