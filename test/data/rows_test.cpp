#include "motet/data/rows.h"

#include <gtest/gtest.h>

#include "data/bits.h"
#include "motet/base/rng.h"
#include "motet/data/views.h"

namespace motet::rows_test {
namespace {

TEST(Rows, AllAreNumberedAsTheyCome) {
  const Rows rows = Rows::all(4);
  EXPECT_EQ(rows.size(), 4U);
  EXPECT_EQ(rows[3], 3U);
  EXPECT_EQ(rows.between(1, 3)[0], 1U);
  EXPECT_EQ(rows.between(1, 4).between(1, 2)[0], 2U);
}

TEST(Rows, SomeKeepTheirOrderAndPartsOfAViewAreViews) {
  const std::vector<std::uint32_t> numbers{7, 2, 9, 4};
  const Rows rows = numbers;
  EXPECT_EQ(rows.size(), 4U);
  EXPECT_EQ(rows[2], 9U);
  EXPECT_EQ(rows.between(1, 3).size(), 2U);
  EXPECT_EQ(rows.between(1, 3)[1], 9U);
  const std::vector<std::uint32_t> places{3, 0};
  EXPECT_EQ(rows.at(places), (std::vector<std::uint32_t>{4, 7}));
  EXPECT_EQ(Rows::all(5).at(places), places);
}

NumberTable features_of(std::vector<double> values, std::size_t rows) {
  NumberTable features;
  for (std::size_t d = 0; d < values.size() / rows; ++d) features.columns.push_back("x" + std::to_string(d));
  features.values = std::move(values);
  return features;
}

TEST(Views, APreparationLearntFromAViewIsThatOfACopyBitForBit) {
  Rng rng(Seed{5});
  std::vector<double> values(700 * 3);
  for (double& value : values) value = 2.0 + rng.normal();
  const NumberTable features = features_of(values, 700);
  std::vector<std::uint32_t> numbers;
  for (std::uint32_t n = 0; n < 700; ++n) {
    if (n % 4 != 1) numbers.push_back(n);
  }
  const NumberTable copy = rows_of(features, numbers);
  for (const PreparationOptions& options : {PreparationOptions{}, PreparationOptions{.standardize = true},
                                            PreparationOptions{.standardize = true, .pca = 2},
                                            PreparationOptions{.standardize = true, .pca = 2, .kernel = 20}}) {
    const Preparation of_view = learn_preparation(features, numbers, options, {1});
    const Preparation of_copy = learn_preparation(copy, options, {1});
    EXPECT_EQ(of_view.centre, of_copy.centre);
    EXPECT_EQ(of_view.scale, of_copy.scale);
    EXPECT_EQ(of_view.landmarks, of_copy.landmarks);
    EXPECT_EQ(of_view.components, of_copy.components);
    EXPECT_EQ(prepare(of_view, features, numbers, {1}), prepare(of_copy, copy, {1}));
    EXPECT_EQ(leaves_features(of_view), !options.standardize);
  }
}

TEST(Views, TheSetsOfAViewAreThoseOfACopyWithRowsOfTheWhole) {
  const BitMatrix sets = bits_of({"101", "000", "101", "010", "000", "111"});
  const std::vector<std::uint32_t> numbers{5, 2, 4, 0};
  const LabelSetIndex index = index_label_sets(sets, numbers);
  const LabelSetIndex of_copy = index_label_sets(sets.rows_of(numbers));
  EXPECT_EQ(index.of_row, of_copy.of_row);
  EXPECT_EQ(index.starts, of_copy.starts);
  ASSERT_EQ(index.rows.size(), 4U);
  for (std::size_t i = 0; i < 4; ++i) EXPECT_EQ(index.rows[i], numbers[of_copy.rows[i]]);
}

}  // namespace
}  // namespace motet::rows_test
