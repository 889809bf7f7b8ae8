#include "motet/data/labelled_items.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "motet/base/rng.h"

namespace motet::labelled_items_test {
namespace {

BitMatrix random_sets(std::size_t rows, std::size_t labels, double share, Seed seed) {
  BitMatrix sets(rows, labels);
  Rng rng(seed);
  for (std::size_t n = 0; n < rows; ++n) {
    for (std::size_t k = 0; k < labels; ++k) {
      if (rng.uniform() < share) sets.set(n, k);
    }
  }
  return sets;
}

TEST(LabelledItems, IndexOrdersSetsByDegreeThenAsWrittenFromTheFirstLabelOn) {
  BitMatrix sets(8, 8);
  for (std::size_t n = 0; n < 8; ++n) {
    for (std::size_t k = 0; k < 3; ++k) {
      if (((7 - n) >> k & 1U) != 0) sets.set(n, k);
    }
  }
  const LabelSetIndex index = index_label_sets(sets);
  const std::vector<std::string> labels{"a", "b", "c"};
  std::string text;
  for (std::size_t s = 0; s < index.size(); ++s) text += joined_labels(index.sets.row(s), labels) + ";";
  EXPECT_EQ(text, ";a;b;c;a|b;a|c;b|c;a|b|c;");
  EXPECT_EQ(index.of_row[0], 7U);
  EXPECT_EQ(index.of_row[7], 0U);
}

TEST(LabelledItems, IndexListsEveryRowOnceUnderItsOwnSetAlsoWithMoreThan64Labels) {
  for (const std::size_t labels : {1UL, 5UL, 64UL, 65UL, 200UL}) {
    const BitMatrix sets = random_sets(3000, labels, labels > 10 ? 0.01 : 0.4, Seed{labels});
    const LabelSetIndex index = index_label_sets(sets);
    ASSERT_EQ(index.starts.back(), 3000U);
    for (std::size_t s = 0; s < index.size(); ++s) {
      EXPECT_EQ(find_set(index.sets, index.sets.row(s)), s);
      for (std::size_t i = index.starts[s]; i < index.starts[s + 1]; ++i) {
        EXPECT_EQ(index.of_row[index.rows[i]], s);
        EXPECT_TRUE(i == index.starts[s] || index.rows[i - 1] < index.rows[i]);
        const std::span<const std::uint64_t> of_row = sets.row(index.rows[i]);
        const std::span<const std::uint64_t> of_set = index.sets.row(s);
        EXPECT_TRUE(std::equal(of_row.begin(), of_row.end(), of_set.begin()));
      }
    }
  }
}

TEST(LabelledItems, IndexOfNoRowsIsEmpty) {
  const LabelSetIndex index = index_label_sets(BitMatrix(0, 4));
  EXPECT_EQ(index.size(), 0U);
  EXPECT_EQ(index.starts, std::vector<std::size_t>{0});
}

TEST(LabelledItems, SetThatIsAbsentIsNotFound) {
  BitMatrix sets(1, 3);
  const BitMatrix other = random_sets(1, 3, 1.0, Seed{1});
  EXPECT_EQ(find_set(sets, other.row(0)), no_set);
  EXPECT_EQ(find_set(sets, sets.row(0)), 0U);
}

TEST(LabelledItems, PartOfTheRowsKeepsNamesValuesAndSets) {
  LabelledItems items;
  items.features.columns = {"x", "y"};
  items.features.values = {1, 2, 3, 4, 5, 6};
  items.labels = {"a", "b"};
  items.sets = BitMatrix(3, 2);
  items.sets.set(2, 1);
  const std::vector<std::uint32_t> rows{2, 0};
  const LabelledItems part = rows_of(items, rows);
  EXPECT_EQ(part.features.values, (std::vector<double>{5, 6, 1, 2}));
  EXPECT_EQ(part.features.items, (std::vector<std::string>{"3", "1"}));
  EXPECT_EQ(part.rows(), 2U);
  EXPECT_TRUE(part.has_sets());
  EXPECT_TRUE(part.sets(0, 1));
  EXPECT_FALSE(part.sets(1, 1));
}

}  // namespace
}  // namespace motet::labelled_items_test
