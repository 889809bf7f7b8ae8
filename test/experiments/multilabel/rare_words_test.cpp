#include "experiments/multilabel/rare_words.h"

#include <gtest/gtest.h>

namespace motet::multilabel::rare_words_test {
namespace {

TEST(RareWords, AreSparseAndTheirLabelsFallOff) {
  const RareWordsOptions options{2000, 300, 10, 20, 25, 0.4, 0.1};
  const LabelledItems items = rare_words(options, Seed{4});
  ASSERT_EQ(items.rows(), 2000U);
  double filled = 0.0;
  for (const double value : items.features.values) {
    EXPECT_TRUE(value == 0.0 || value == 1.0);
    filled += value;
  }
  const double per_text = filled / 2000.0;
  EXPECT_GT(per_text, 10.0);
  EXPECT_LE(per_text, 25.0);
  const BitMatrix by_label = items.sets.transposed();
  EXPECT_GT(by_label.count(0), 4 * by_label.count(9));
  for (std::size_t n = 0; n < items.rows(); ++n) {
    EXPECT_GE(items.sets.count(n), 1U);
    EXPECT_LE(items.sets.count(n), 3U);
  }
}

TEST(RareWords, AreThoseOfTheirSeed) {
  EXPECT_EQ(rare_words({}, Seed{1}).features.values, rare_words({}, Seed{1}).features.values);
  EXPECT_NE(rare_words({}, Seed{1}).features.values, rare_words({}, Seed{2}).features.values);
}

}  // namespace
}  // namespace motet::multilabel::rare_words_test
