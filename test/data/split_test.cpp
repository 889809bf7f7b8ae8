#include "motet/data/split.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "data/bits.h"
#include "support/errors.h"

namespace motet::split_test {
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

std::vector<std::uint32_t> parts_of(const BitMatrix& sets, const std::vector<double>& shares, Seed seed) {
  const Parts parts = stratified_parts(sets, shares, seed);
  EXPECT_EQ(parts.count, shares.size());
  return parts.of_row;
}

TEST(StratifiedSplit, EveryLabelAndEveryFoldKeepsItsShare) {
  const BitMatrix sets = skewed_sets(2000, 30, Seed{3});
  const std::vector<double> shares{1, 1, 1, 1, 1};
  const std::vector<std::uint32_t> fold = parts_of(sets, shares, Seed{1});
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
  const std::vector<std::uint32_t> fold = parts_of(sets, shares, Seed{1});
  std::vector<int> count(9);
  for (std::size_t n = 0; n < 60; ++n) ++count[fold[n] * 3 + (n < 6 ? 0 : n < 24 ? 1 : 2)];
  EXPECT_EQ(count, (std::vector<int>{2, 6, 12, 2, 6, 12, 2, 6, 12}));
}

TEST(StratifiedSplit, SharesMayDifferAndNeedNotSumToOne) {
  const BitMatrix sets = skewed_sets(1000, 8, Seed{5});
  const std::vector<double> shares{3, 1};
  const std::vector<std::uint32_t> fold = parts_of(sets, shares, Seed{1});
  EXPECT_NEAR(static_cast<double>(std::count(fold.begin(), fold.end(), 0U)), 750, 10);
}

TEST(StratifiedSplit, ItemsWithoutLabelsFillTheFolds) {
  const std::vector<double> shares{1, 1};
  const std::vector<std::uint32_t> fold = parts_of(BitMatrix(10, 4), shares, Seed{1});
  EXPECT_EQ(std::count(fold.begin(), fold.end(), 0U), 5);
}

TEST(StratifiedSplit, SameSeedSameFoldsOtherSeedOthers) {
  const BitMatrix sets = skewed_sets(500, 10, Seed{7});
  const std::vector<double> shares{1, 1, 1};
  EXPECT_EQ(parts_of(sets, shares, Seed{2}), parts_of(sets, shares, Seed{2}));
  EXPECT_NE(parts_of(sets, shares, Seed{2}), parts_of(sets, shares, Seed{3}));
}

TEST(StratifiedSplit, NothingToSplitAndOneFold) {
  const std::vector<double> one{2};
  EXPECT_TRUE(parts_of(BitMatrix(0, 3), one, Seed{1}).empty());
  EXPECT_EQ(parts_of(bits_of({"101", "000"}), one, Seed{1}), (std::vector<std::uint32_t>{0, 0}));
}

TEST(StratifiedSplit, SharesMustBePositive) {
  const auto message = [](const std::vector<double>& shares) {
    return error_of([&] { parts_of(BitMatrix(2, 1), shares, Seed{1}); }, ErrorKind::usage);
  };
  EXPECT_EQ(message({0.5, 0.0}), "split: share = 0 is out of range; every share is above 0");
  EXPECT_EQ(message({std::nan("")}), "split: share = nan is out of range; every share is above 0");
  EXPECT_EQ(message({}), "split: there are no shares; at least one fold is needed");
}

// Every row is in one part, in the order of the rows, and the other rows are in the others.
void expect_whole(const Parts& parts, std::size_t rows) {
  std::vector<int> seen(rows);
  for (std::size_t part = 0; part < parts.count; ++part) {
    const std::vector<std::uint32_t> in = parts.rows_of(part);
    const std::vector<std::uint32_t> others = parts.others(part);
    EXPECT_TRUE(std::is_sorted(in.begin(), in.end()) && std::is_sorted(others.begin(), others.end()));
    EXPECT_EQ(in.size() + others.size(), rows);
    for (const std::uint32_t n : in) {
      ++seen.at(n);
      EXPECT_FALSE(std::binary_search(others.begin(), others.end(), n));
    }
  }
  EXPECT_EQ(seen, std::vector<int>(rows, 1));
}

std::pair<std::size_t, std::size_t> smallest_and_largest(const Parts& parts) {
  std::size_t least = parts.of_row.size(), most = 0;
  for (std::size_t part = 0; part < parts.count; ++part) {
    least = std::min(least, parts.rows_of(part).size());
    most = std::max(most, parts.rows_of(part).size());
  }
  return {least, most};
}

TEST(RandomParts, CoverAllRowsOnceInSizesThatDifferByOne) {
  for (const std::size_t rows : {0U, 1U, 7U, 100U, 103U}) {
    const Parts parts = random_parts(rows, 5, Rng(Seed{3}));
    expect_whole(parts, rows);
    const auto [least, most] = smallest_and_largest(parts);
    EXPECT_LE(most, least + 1) << rows;
  }
}

// Model files and tables in the documentation were made with these lots.
TEST(RandomParts, DrawTheLotsTheyAlwaysDrew) {
  EXPECT_EQ(random_parts(9, 3, Rng(Seed{1}).child(1)).of_row, (std::vector<std::uint32_t>{2, 1, 0, 1, 0, 1, 2, 2, 0}));
  EXPECT_EQ(stratified_parts(skewed_sets(9, 2, Seed{3}), 3, Seed{1}).of_row,
            (std::vector<std::uint32_t>{0, 1, 0, 2, 1, 1, 0, 2, 2}));
}

TEST(StratifiedSplit, OneLabelPerRowIsBalancedWithinOne) {
  std::vector<std::uint32_t> label;
  for (std::uint32_t n = 0; n < 211; ++n) label.push_back(n % 7 == 0 ? 2 : n % 3 == 0 ? 1 : 0);
  const Parts parts = stratified_parts(label, 4, Seed{9});
  expect_whole(parts, label.size());
  for (std::uint32_t l = 0; l < 3; ++l) {
    std::vector<std::size_t> count(4);
    for (std::size_t n = 0; n < label.size(); ++n) count[parts.of_row[n]] += label[n] == l ? 1 : 0;
    const auto [least, most] = std::minmax_element(count.begin(), count.end());
    EXPECT_LE(*most, *least + 1) << l;
  }
  const auto [least, most] = smallest_and_largest(parts);
  EXPECT_LE(most, least + 1);
}

TEST(GroupedParts, NeverCutAGroupAndAreOfLikeSize) {
  std::vector<std::uint32_t> group;
  for (std::uint32_t n = 0; n < 300; ++n) group.push_back(n * n % 41);
  const Parts parts = grouped_parts(group, 4, Rng(Seed{2}));
  expect_whole(parts, group.size());
  std::vector<std::size_t> size(41);
  for (std::size_t n = 0; n < group.size(); ++n) {
    ++size[group[n]];
    for (std::size_t m = 0; m < n; ++m) {
      if (group[m] == group[n]) {
        EXPECT_EQ(parts.of_row[m], parts.of_row[n]);
      }
    }
  }
  // The last group that went to a part went to the smallest.
  const auto [least, most] = smallest_and_largest(parts);
  EXPECT_LE(most - least, *std::max_element(size.begin(), size.end()));
  EXPECT_NE(parts.of_row, grouped_parts(group, 4, Rng(Seed{3})).of_row);
}

TEST(GivenParts, AreTakenAsTheyCome) {
  const Parts parts = given_parts({2, 0, 2});
  EXPECT_EQ(parts.count, 3U);
  expect_whole(parts, 3);
  EXPECT_TRUE(parts.rows_of(1).empty());
}

TEST(CutByLot, SetsOneRowInSoManyAside) {
  const CutRows front = cut_by_lot(23, 100, 5, Cut::in_front, Rng(Seed{4}));
  const CutRows spread = cut_by_lot(23, 100, 5, Cut::spread, Rng(Seed{4}));
  EXPECT_EQ(front.aside.size(), 4U);
  EXPECT_EQ(spread.aside.size(), 5U);
  for (const CutRows& cut : {front, spread}) {
    std::vector<std::uint32_t> all = cut.aside;
    all.insert(all.end(), cut.rest.begin(), cut.rest.end());
    std::sort(all.begin(), all.end());
    for (std::uint32_t n = 0; n < 23; ++n) EXPECT_EQ(all.at(n), n);
  }
  // Both cut the same lot.
  EXPECT_EQ(spread.aside[0], front.aside[0]);
  EXPECT_EQ(spread.aside[1], front.rest[1]);
  const CutRows few = cut_by_lot(23, 10, 2, Cut::in_front, Rng(Seed{4}));
  EXPECT_EQ(few.aside.size(), 5U);
  EXPECT_EQ(few.rest.size(), 5U);
}

TEST(SampleByLot, RisesAndIsAllWhenEnoughIsAskedFor) {
  const std::vector<std::uint32_t> some = sample_by_lot(50, 8, Rng(Seed{4}));
  EXPECT_EQ(some.size(), 8U);
  EXPECT_TRUE(std::is_sorted(some.begin(), some.end()));
  EXPECT_EQ(sample_by_lot(3, 8, Rng(Seed{4})), (std::vector<std::uint32_t>{0, 1, 2}));
}

TEST(RandomParts, ThereMustBeOne) {
  const std::string refused = "split: there are no parts; at least one is needed";
  EXPECT_EQ(error_of([] { random_parts(3, 0, Rng(Seed{1})); }, ErrorKind::usage), refused);
  EXPECT_EQ(error_of([] { grouped_parts({}, 0, Rng(Seed{1})); }, ErrorKind::usage), refused);
}

// Rare labels of items that were dealt for still rarer ones may meet in one part by lot.
TEST(StratifiedParts, NoLabelOfSeveralRowsHasThemAllInOnePart) {
  for (std::uint64_t number = 0; number < 300; ++number) {
    Rng rng(Seed{number});
    constexpr std::size_t labels = 12;
    BitMatrix sets(30, labels);
    for (std::size_t n = 0; n < sets.rows(); ++n) {
      for (std::size_t k = 0; k < labels; ++k) sets.set(n, k, rng.uniform() < 0.1);
    }
    const Parts parts = stratified_parts(sets, 5, Seed{number});
    const BitMatrix by_label = sets.transposed();
    std::vector<std::size_t> size(5, 0);
    for (const std::uint32_t part : parts.of_row) ++size[part];
    for (const std::size_t rows : size) EXPECT_TRUE(rows >= 4 && rows <= 8) << rows;
    for (std::size_t k = 0; k < labels; ++k) {
      if (by_label.count(k) < 2) continue;
      std::set<std::uint32_t> found;
      for_each_bit(by_label.row(k), [&](std::size_t n) { found.insert(parts.of_row[n]); });
      EXPECT_GT(found.size(), 1U) << "label " << k << " of table " << number;
    }
  }
}

}  // namespace
}  // namespace motet::split_test
