#include "motet/multilabel/choice/thresholds.h"

#include <gtest/gtest.h>

namespace motet::multilabel::thresholds_test {
namespace {

// Two labels: the first is rare and its probabilities are low, the second is told apart at 1/2.
ThresholdCounts two_labels() {
  ThresholdCounts counts(2);
  const double items[8][4] = {{0.32, 0.9, 1, 1}, {0.28, 0.8, 1, 1}, {0.27, 0.7, 1, 1}, {0.12, 0.2, 0, 0},
                              {0.11, 0.3, 0, 0}, {0.08, 0.1, 0, 0}, {0.02, 0.6, 0, 1}, {0.01, 0.4, 0, 0}};
  for (const auto& item : items) counts.add(std::span(item, 2), std::span(item + 2, 2));
  return counts;
}

TEST(ThresholdCounts, SayHowOftenALabelIsGivenAtEachThreshold) {
  const ThresholdCounts counts = two_labels();
  EXPECT_EQ(counts.there, (std::vector<double>{3.0, 4.0}));
  EXPECT_EQ(counts.given[0], 6.0);  // above 0.05
  EXPECT_EQ(counts.given[1], 5.0);  // above 0.10
  EXPECT_EQ(counts.right[1], 3.0);
  EXPECT_EQ(counts.given[5], 1.0);  // above 0.30
  EXPECT_EQ(counts.given[9], 0.0);  // above 0.50
  EXPECT_EQ(counts.given[threshold_steps + 9], 4.0);
  ThresholdCounts twice = counts;
  twice.add(counts);
  EXPECT_EQ(twice.given[1], 10.0);
  EXPECT_EQ(twice.there[1], 8.0);
}

TEST(BestThresholds, AreOneHalfForLabelsOneForMicroAndOneEachForMacro) {
  const ThresholdCounts counts = two_labels();
  EXPECT_EQ(best_thresholds(counts, Optimize::hamming), (std::vector<double>{threshold_at(9), threshold_at(9)}));
  const std::vector<double> micro = best_thresholds(counts, Optimize::micro_f1);
  EXPECT_DOUBLE_EQ(micro[0], 0.25);  // 7 right of 9 given: the best that one threshold can do
  EXPECT_EQ(micro[0], micro[1]);
  const std::vector<double> macro = best_thresholds(counts, Optimize::macro_f1);
  EXPECT_DOUBLE_EQ(macro[0], 0.25);
  EXPECT_DOUBLE_EQ(macro[1], 0.5);
  EXPECT_DOUBLE_EQ(f1_loss(counts, Optimize::macro_f1), 0.0);
  EXPECT_DOUBLE_EQ(f1_loss(counts, Optimize::micro_f1), 1.0 - 14.0 / 16.0);
}

TEST(BestThresholds, OfALabelOfFewItemsIsThatOfAll) {
  ThresholdCounts counts = two_labels();
  ThresholdCounts few(3);
  const double item[6] = {0.9, 0.1, 0.06, 1, 0, 1};
  for (int n = 0; n < 2; ++n) few.add(std::span(item, 3), std::span(item + 3, 3));
  const std::vector<double> macro = best_thresholds(few, Optimize::macro_f1);
  EXPECT_EQ(macro[0], macro[2]);
}

}  // namespace
}  // namespace motet::multilabel::thresholds_test
