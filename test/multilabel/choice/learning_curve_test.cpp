#include "motet/multilabel/choice/learning_curve.h"

#include <gtest/gtest.h>

#include <cmath>

#include "app/multilabel/support.h"
#include "motet/app/multilabel/compare.h"

namespace motet::multilabel::learning_curve_test {
namespace {

Rival training(Training method, const std::string& name) {
  FoldOptions options;
  options.calibrate = false;
  options.train.method = method;
  return {"", name, options};
}

TEST(LearningCurveOfItems, DoublesTheItemsAndLeavesOutTooFew) {
  const LabelledItems train = items_of(small_items(96, 5));
  const LabelledItems test = items_of(small_items(60, 6));
  std::vector<std::string> warnings;
  const std::vector<LearningPoint> points = learning_curve(
      train, test, {curve_methods({training(Training::deconvolution, "sums"), {"lp-lda", "linear", {}}}), 3}, {},
      warnings);
  ASSERT_EQ(points.size(), 8U);  // 6 items, a sixteenth, are too few
  for (std::size_t i = 0; i < points.size(); ++i) {
    EXPECT_EQ(points[i].method, i % 2 == 0 ? "sums" : "linear");
    const double items = 12.0 * std::pow(2.0, static_cast<double>(i / 2));
    EXPECT_NEAR(static_cast<double>(points[i].items), items, 3.0);  // the share of each label is rounded
  }
  EXPECT_TRUE(warnings.empty());
  // The whole is trained on once, so that only the number of test items makes its error uncertain.
  const Decided whole = decide_about(train, test, *training(Training::deconvolution, "").training, {});
  std::size_t wrong = 0;
  for (std::size_t n = 0; n < 60; ++n) {
    wrong += whole.sets(n, 0) != test.sets(n, 0) || whole.sets(n, 1) != test.sets(n, 1) ||
             whole.sets(n, 2) != test.sets(n, 2);
  }
  const double error = static_cast<double>(wrong) / 60.0;
  EXPECT_EQ(points[6].items, 96U);
  EXPECT_DOUBLE_EQ(points[6].error_rate, error);
  EXPECT_NEAR(points[6].standard_error, std::sqrt(error * (1.0 - error) / 60.0), 1e-12);
}

TEST(LearningCurveOfItems, RepeatsAddTheirSpread) {
  const LabelledItems train = items_of(small_items(96, 5));
  const LabelledItems test = items_of(small_items(60, 6));
  std::vector<std::string> warnings;
  const auto first = [&](std::size_t repeats) {
    return learning_curve(train, test, {curve_methods({training(Training::fresh, "new")}), repeats}, {}, warnings)
        .at(0);
  };
  const LearningPoint once = first(1);
  const LearningPoint often = first(6);
  const auto of_test = [](const LearningPoint& point) {
    return std::sqrt(point.error_rate * (1.0 - point.error_rate) / 60.0);
  };
  EXPECT_NEAR(once.standard_error, of_test(once), 1e-12);
  EXPECT_GT(often.standard_error, of_test(often));
}

TEST(LearningCurveOfItems, CountsTheTrainingsThatFail) {
  std::string text = "item,x,y,a,b,c\n";  // no item of one label
  for (int n = 0; n < 24; ++n) {
    text += "i" + std::to_string(n) + "," + std::to_string(n % 5) + "," + std::to_string(n % 7) +
            (n % 2 == 0 ? ",1,1,0\n" : ",0,1,1\n");
  }
  const LabelledItems items = items_of(text);
  std::vector<std::string> warnings;
  const std::vector<LearningPoint> points = learning_curve(
      items, items, {curve_methods({training(Training::ignore, "ignore"), training(Training::fresh, "new")}), 2}, {},
      warnings);
  ASSERT_EQ(points.size(), 2U);
  EXPECT_EQ(points[0].method, "new");
  EXPECT_EQ(warnings,
            (std::vector<std::string>{"learning curve: ignore could not be trained on 2 of 2 parts of 12 items",
                                      "learning curve: ignore could not be trained on 1 of 1 parts of 24 items"}));
}

TEST(LearningCurveOfFolds, HasOneSubsetOfEachFold) {
  const LabelledItems items = items_of(small_items(96, 5));
  std::vector<std::uint32_t> of_row;
  for (std::uint32_t n = 0; n < 96; ++n) of_row.push_back(n / 6 % 2);
  std::vector<std::string> warnings;
  const std::vector<LearningPoint> points =
      learning_curve(items, given_parts(of_row), {curve_methods({training(Training::fresh, "new")}), 1}, {}, warnings);
  ASSERT_EQ(points.size(), 3U);  // a quarter, a half and the whole of 48 items
  EXPECT_EQ(points[2].items, 48U);
}

}  // namespace
}  // namespace motet::multilabel::learning_curve_test
