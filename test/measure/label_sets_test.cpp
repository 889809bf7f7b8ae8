#include "motet/measure/label_sets.h"

#include <gtest/gtest.h>

#include <cmath>

#include "data/bits.h"
#include "motet/base/error.h"
#include "motet/base/rng.h"

namespace motet::label_sets_test {
namespace {

// Worked out by hand: four items, three labels.
const BitMatrix truth = bits_of({"100", "110", "110", "000"});
const BitMatrix predicted = bits_of({"100", "100", "111", "000"});

TEST(LabelSets, QualityOfFourItemsWorkedOutByHand) {
  const LabelSetQuality q = label_set_quality(truth, predicted);
  EXPECT_EQ(q.items, 4U);
  EXPECT_EQ(q.label_sets, 3U);
  EXPECT_EQ(q.error_rate, 0.5);
  EXPECT_EQ(q.error_rate_error, 0.25);                 // sqrt(.5 .5 / 4)
  EXPECT_DOUBLE_EQ(q.balanced_error_rate, 1.0 / 3.0);  // 0 of {}, 0 of {a}, 2 of 2 of {a, b}
  EXPECT_DOUBLE_EQ(q.hamming_loss, 2.0 / 12.0);
  EXPECT_DOUBLE_EQ(q.precision, (1 + 1 + 2.0 / 3 + 0) / 4);  // 0/0 of the last counts as 0
  EXPECT_DOUBLE_EQ(q.recall, (1 + 0.5 + 1 + 0) / 4);
  EXPECT_DOUBLE_EQ(q.f1, (1 + 2.0 / 3 + 4.0 / 5 + 0) / 4);
  // Root of the sum of squared deviations over 4 times 3: of 0, 1/3, 1/3, 0 for the Hamming loss, and so on.
  EXPECT_DOUBLE_EQ(q.hamming_loss_error, std::sqrt(4.0 * (1.0 / 36) / 12));
  EXPECT_DOUBLE_EQ(q.precision_error, std::sqrt((2.0 * 1 / 9 + 0 + 4.0 / 9) / 12));
  EXPECT_DOUBLE_EQ(q.recall_error, std::sqrt((2.0 * 0.375 * 0.375 + 0.125 * 0.125 + 0.625 * 0.625) / 12));
  const double f1 = q.f1;
  EXPECT_DOUBLE_EQ(
      q.f1_error,
      std::sqrt((std::pow(1 - f1, 2) + std::pow(2.0 / 3 - f1, 2) + std::pow(0.8 - f1, 2) + std::pow(f1, 2)) / 12));
  EXPECT_DOUBLE_EQ(q.micro_precision, 4.0 / 5);
  EXPECT_DOUBLE_EQ(q.micro_recall, 4.0 / 5);
  EXPECT_DOUBLE_EQ(q.micro_f1, 4.0 / 5);
  EXPECT_DOUBLE_EQ(q.macro_precision, (1 + 1 + 0) / 3.0);
  EXPECT_DOUBLE_EQ(q.macro_recall, (1 + 0.5 + 0) / 3.0);
  EXPECT_DOUBLE_EQ(q.macro_f1, (1 + 2.0 / 3 + 0) / 3.0);
  ASSERT_EQ(q.per_label.size(), 3U);
  EXPECT_EQ(q.per_label[1].true_positive, 1U);
  EXPECT_EQ(q.per_label[1].false_negative, 1U);
  EXPECT_EQ(q.per_label[1].false_positive, 0U);
  EXPECT_EQ(q.per_label[1].true_negative, 2U);
  EXPECT_EQ(q.per_label[2].false_positive, 1U);
}

TEST(LabelSets, PerfectPredictionsHaveNoErrorButEmptySetsScoreNothing) {
  const LabelSetQuality q = label_set_quality(truth, truth);
  EXPECT_EQ(q.error_rate, 0.0);
  EXPECT_EQ(q.balanced_error_rate, 0.0);
  EXPECT_EQ(q.hamming_loss, 0.0);
  EXPECT_EQ(q.f1, 0.75);
  EXPECT_DOUBLE_EQ(q.macro_f1, 2.0 / 3);  // the third label is in no item
}

// The definitions of the thesis: two labels, three sets; the set of both is taken for one of its labels. Each label
// is found in one of its two items, each item in three quarters of its labels on the mean.
TEST(LabelSets, RecallOfTheDocumentsIsAMeanOverLabels) {
  const LabelSetQuality q = label_set_quality(bits_of({"10", "01", "11", "11"}), bits_of({"10", "01", "10", "01"}));
  EXPECT_DOUBLE_EQ(q.macro_recall, 2.0 / 3);
  EXPECT_DOUBLE_EQ(q.recall, 0.75);
  EXPECT_DOUBLE_EQ(q.macro_precision, 1.0);
}

BitMatrix without_row(const BitMatrix& sets, std::size_t left_out) {
  std::vector<std::uint32_t> rows;
  for (std::uint32_t n = 0; n < sets.rows(); ++n) {
    if (n != left_out) rows.push_back(n);
  }
  return sets.rows_of(rows);
}

TEST(LabelSets, StandardErrorsOfRatiosAreThoseOfTheJackknife) {
  constexpr std::size_t items = 300;
  BitMatrix true_sets(items, 4);
  BitMatrix told(items, 4);
  Rng rng(Seed{5});
  for (std::size_t n = 0; n < items; ++n) {
    for (std::size_t k = 0; k < 4; ++k) {
      const bool there = rng.uniform() < 0.2 + 0.1 * static_cast<double>(k);
      true_sets.set(n, k, there);
      told.set(n, k, rng.uniform() < (there ? 0.7 : 0.15));
    }
  }
  const LabelSetQuality all = label_set_quality(true_sets, told);
  std::vector<LabelSetQuality> parts;
  for (std::size_t n = 0; n < items; ++n) {
    parts.push_back(label_set_quality(without_row(true_sets, n), without_row(told, n)));
  }
  const auto expect_error = [&](double LabelSetQuality::*value, double LabelSetQuality::*error) {
    double mean = 0.0;
    for (const LabelSetQuality& part : parts) mean += part.*value / items;
    double squares = 0.0;
    for (const LabelSetQuality& part : parts) squares += (part.*value - mean) * (part.*value - mean);
    const double jackknife = std::sqrt(squares * (items - 1.0) / items);
    constexpr double second_order = 0.02;  // relative: one over the items of the rarest label
    EXPECT_NEAR(all.*error, jackknife, second_order * jackknife);
  };
  expect_error(&LabelSetQuality::macro_precision, &LabelSetQuality::macro_precision_error);
  expect_error(&LabelSetQuality::macro_recall, &LabelSetQuality::macro_recall_error);
  expect_error(&LabelSetQuality::macro_f1, &LabelSetQuality::macro_f1_error);
  expect_error(&LabelSetQuality::micro_precision, &LabelSetQuality::micro_precision_error);
  expect_error(&LabelSetQuality::micro_recall, &LabelSetQuality::micro_recall_error);
  expect_error(&LabelSetQuality::micro_f1, &LabelSetQuality::micro_f1_error);
}

TEST(LabelSets, ASetOfOneItemAddsToTheErrorOfTheBalancedError) {
  // {a}: 1 of 2 wrong, {b}: 0 of 1. With half an item on each side the shares are 1/2 and 1/4.
  const LabelSetQuality q = label_set_quality(bits_of({"10", "10", "01"}), bits_of({"10", "01", "01"}));
  EXPECT_DOUBLE_EQ(q.balanced_error_rate, 0.25);
  EXPECT_DOUBLE_EQ(q.balanced_error_rate_error, 0.5 * std::sqrt(0.25 / 2 + 0.1875 / 1));
}

TEST(LabelSets, NoItemsGiveZeros) {
  const LabelSetQuality q = label_set_quality(BitMatrix(0, 2), BitMatrix(0, 2));
  EXPECT_EQ(q.error_rate, 0.0);
  EXPECT_EQ(q.error_rate_error, 0.0);
  EXPECT_EQ(q.balanced_error_rate, 0.0);
}

TEST(LabelSets, DifferentShapesAreADefect) {
  EXPECT_THROW(label_set_quality(truth, BitMatrix(4, 2)), Error);
  EXPECT_THROW(most_confused(truth, BitMatrix(3, 3), 5), Error);
}

TEST(LabelSets, MostConfusedPairsComeFirst) {
  const BitMatrix t = bits_of({"10", "01", "01", "11", "01", "10"});
  const BitMatrix p = bits_of({"11", "11", "10", "11", "10", "11"});
  const std::vector<SetConfusion> pairs = most_confused(t, p, 2);
  ASSERT_EQ(pairs.size(), 2U);
  EXPECT_EQ(pairs[0].truth, std::vector<std::uint64_t>{1});
  EXPECT_EQ(pairs[0].predicted, std::vector<std::uint64_t>{3});
  EXPECT_EQ(pairs[0].items, 2U);
  EXPECT_EQ(pairs[1].truth, std::vector<std::uint64_t>{2});
  EXPECT_EQ(pairs[1].predicted, std::vector<std::uint64_t>{1});
  EXPECT_EQ(pairs[1].items, 2U);
  EXPECT_EQ(most_confused(t, p, 10).size(), 3U);
}

TEST(LabelSets, ReliabilityByHand) {
  const std::vector<double> probability{0.05, 0.15, 0.95, 0.85, 1.0};
  const std::vector<std::uint8_t> right{0, 1, 1, 0, 1};
  const Reliability r = reliability(probability, right, 2);
  ASSERT_EQ(r.bins.size(), 2U);
  EXPECT_DOUBLE_EQ(r.bins[0].mean_probability, 0.1);
  EXPECT_DOUBLE_EQ(r.bins[0].share_right, 0.5);
  EXPECT_DOUBLE_EQ(r.bins[0].error, std::sqrt(0.125));
  EXPECT_EQ(r.bins[1].items, 3U);
  EXPECT_DOUBLE_EQ(r.expected_calibration_error, 0.4 * 0.4 + 0.6 * (2.8 / 3 - 2.0 / 3));
}

TEST(LabelSets, RejectCurveKeepsTheSurestAndNeverCutsThroughEqualOnes) {
  const std::vector<double> probability{0.9, 0.2, 0.9, 0.5};
  const std::vector<std::uint8_t> right{1, 0, 0, 1};
  const std::vector<RejectPoint> curve = reject_curve(probability, right, 5);
  ASSERT_EQ(curve.size(), 3U);
  EXPECT_EQ(curve[0].coverage, 1.0);
  EXPECT_EQ(curve[0].threshold, 0.2);
  EXPECT_EQ(curve[0].error, 0.5);
  EXPECT_EQ(curve[1].coverage, 0.75);
  EXPECT_DOUBLE_EQ(curve[1].error, 1.0 / 3);
  EXPECT_EQ(curve[2].threshold, 0.9);
  EXPECT_EQ(curve[2].coverage, 0.5);
  EXPECT_EQ(curve[2].error, 0.5);
  EXPECT_TRUE(reject_curve({}, {}).empty());
}

TEST(LabelSets, RejectionKeepsTheThresholdItself) {
  const std::vector<double> probability{0.9, 0.2, 0.5, 0.4, 0.7};
  const std::vector<std::uint8_t> right{1, 0, 0, 1, 1};
  const Rejection found = rejection_below(0.5, probability, right);
  EXPECT_EQ(found.items, 2U);
  EXPECT_DOUBLE_EQ(found.kept_error, 1.0 / 3);
  EXPECT_DOUBLE_EQ(found.kept_error_se, std::sqrt(2.0 / 27));
  EXPECT_EQ(rejection_below(0.0, probability, right).items, 0U);
  EXPECT_TRUE(std::isnan(rejection_below(1.0, probability, right).kept_error));
}

TEST(LabelSets, DistancesOfParameters) {
  const std::vector<double> a{0, 0, 1, 1};
  const std::vector<double> b{3, 4, 1, 0};
  EXPECT_DOUBLE_EQ(parameter_distance(a, b, 2, 2.0), (5 + 1) / 4.0);
  EXPECT_DOUBLE_EQ(parameter_distance(a, b, 2, 1.0), (7 + 1) / 4.0);
  EXPECT_DOUBLE_EQ(parameter_distance(a, b, 2, 0.0), 3 / 4.0);
  EXPECT_DOUBLE_EQ(mean_squared_error(a, b), 26 / 4.0);
  EXPECT_DOUBLE_EQ(root_mean_square(a, b), std::sqrt(6.5));
}

}  // namespace
}  // namespace motet::label_sets_test
