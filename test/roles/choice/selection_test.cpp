#include "motet/roles/choice/selection.h"

#include <gtest/gtest.h>

#include <cmath>

#include "motet/base/error.h"

namespace motet::roles::selection_test {
namespace {

constexpr double nan = std::numeric_limits<double>::quiet_NaN();

TEST(Selection, TheSmallestWithinOneErrorOfTheBest) {
  const std::vector<double> scores = {0.5, 1.50, 1.55, 1.58, 1.57};
  EXPECT_EQ(smallest_within_one_se(scores, std::vector<double>{0.1, 0.05, 0.04, 0.0, 0.01}, Better::larger), 2U);
  EXPECT_EQ(smallest_within_one_se(scores, std::vector<double>{0.1, 0.09, 0.04, 0.0, 0.01}, Better::larger), 1U);
  EXPECT_EQ(smallest_within_one_se(scores, std::vector<double>{0.0, 0.0, 0.0, 0.0, 0.0}, Better::larger), 3U);
  EXPECT_EQ(smallest_within_one_se(scores, std::vector<double>{0.0, 0.0, 0.0, 0.0, 0.0}, Better::smaller), 0U);
  EXPECT_EQ(smallest_within_one_se(std::vector<double>{0.31, 0.2, 0.19}, std::vector<double>{0.1, 0.02, 0.0},
                                   Better::smaller),
            1U);
}

TEST(Selection, ScoresThatAreMissingDoNotTakePart) {
  EXPECT_EQ(
      smallest_within_one_se(std::vector<double>{nan, 1.0, 2.0}, std::vector<double>{9.0, 0.5, 0.0}, Better::larger),
      2U);
  EXPECT_EQ(smallest_within_one_se(std::vector<double>{1.0, 2.0}, std::vector<double>{nan, nan}, Better::larger), 1U);
  EXPECT_FALSE(smallest_within_one_se(std::vector<double>{nan}, std::vector<double>{nan}, Better::larger));
  EXPECT_FALSE(smallest_within_one_se({}, {}, Better::larger));
  EXPECT_THROW(smallest_within_one_se(std::vector<double>{1.0}, {}, Better::larger), Error);
}

TEST(Selection, DifferencesArePairedByHand) {
  const std::vector<std::vector<double>> values = {{1, 2, 3, 6}, {2, 3, 4, 7}, {2, 2, 4, 6}};
  const PairedScores scores = compare_paired(values, Better::larger);
  EXPECT_EQ(scores.mean, (std::vector<double>{3.0, 4.0, 3.5}));
  EXPECT_EQ(scores.best, 1U);
  EXPECT_NEAR(scores.error[1], std::sqrt(14.0 / 3.0 / 4.0), 1e-12);
  EXPECT_EQ(scores.difference_error[0], 0.0);  // one less for everybody
  EXPECT_EQ(scores.difference_error[1], 0.0);
  EXPECT_NEAR(scores.difference_error[2], std::sqrt(1.0 / 3.0 / 4.0), 1e-12);  // 0, -1, 0, -1
}

TEST(Selection, UnequalNumbersAreComparedUnpaired) {
  const PairedScores scores =
      compare_paired(std::vector<std::vector<double>>{{1, 3}, {5, 6, 7}, {}, {2}}, Better::larger);
  EXPECT_EQ(scores.best, 1U);
  EXPECT_NEAR(scores.difference_error[0], std::sqrt(1.0 + 1.0 / 3.0), 1e-12);
  EXPECT_TRUE(std::isnan(scores.mean[2]));
  EXPECT_TRUE(std::isnan(scores.difference_error[2]));
  EXPECT_TRUE(std::isnan(scores.error[3]));
}

RoleTrial trial(std::size_t roles, std::vector<double> held_out, std::vector<double> generalization,
                std::vector<double> stability, std::vector<double> capacity, double bic) {
  RoleTrial result;
  result.roles = roles;
  result.held_out = std::move(held_out);
  result.generalization = std::move(generalization);
  result.stability = std::move(stability);
  result.capacity = std::move(capacity);
  result.bic = bic;
  return result;
}

TEST(Selection, EachCriterionMakesItsChoice) {
  // Given in any order; K = 3 is as good as 4 in the capacity, 4 has the best of all else but BIC.
  const Selection selection = choose_roles({
      trial(4, {-9, -8, -7}, {0.10, 0.12}, {0.95, 0.93}, {1.55, 1.58}, 900.0),
      trial(2, {-20, -19, -18}, {0.30, 0.31}, {0.5, 0.6}, {0.9, 0.8}, 1200.0),
      trial(3, {-10, -9, -8}, {0.20, 0.21}, {0.7, 0.69}, {1.57, 1.55}, 850.0),
  });
  ASSERT_EQ(selection.rows.size(), 3U);
  EXPECT_EQ(selection.rows[0].roles, 2U);
  EXPECT_EQ(selection.rows[2].roles, 4U);
  EXPECT_DOUBLE_EQ(selection.rows[1].held_out, -9.0);
  EXPECT_DOUBLE_EQ(selection.rows[1].held_out_se, 1.0 / std::sqrt(3.0));
  EXPECT_DOUBLE_EQ(selection.rows[2].generalization, 0.11);
  EXPECT_DOUBLE_EQ(selection.rows[0].bic, 1200.0);
  EXPECT_EQ(selection.by(Criterion::held_out), 4U);
  EXPECT_EQ(selection.by(Criterion::generalization), 4U);
  EXPECT_EQ(selection.by(Criterion::stability), 4U);
  EXPECT_EQ(selection.by(Criterion::capacity), 3U);
  EXPECT_EQ(selection.by(Criterion::bic), 3U);
}

TEST(Selection, TheShortestDescriptionIsChosenAndEmptyScoresKeepTheirFirstReason) {
  RoleTrial three = trial(3, {-10, -9}, {}, {}, {}, 850.0);
  three.description_length = 700.0;
  RoleTrial four = trial(4, {-8, -9}, {}, {}, {}, 840.0);
  four.description_length = 710.0;
  RoleTrial five = trial(5, {}, {}, {}, {}, RoleTrial::none);
  five.missing = {{Criterion::held_out, "first"}, {Criterion::held_out, "second"}, {Criterion::bic, "third"}};
  four.missing = {{Criterion::held_out, "one fold of two was measured"}};
  const Selection selection = choose_roles({five, four, three});
  EXPECT_EQ(selection.by(Criterion::description_length), 3U);
  EXPECT_EQ(selection.by(Criterion::bic), 4U);
  EXPECT_EQ(selection.rows[1].description_length, 710.0);
  ASSERT_EQ(selection.empty.size(), 2U);
  EXPECT_EQ(selection.empty[0].roles, 5U);
  EXPECT_EQ(selection.empty[0].reason, "first");
  EXPECT_EQ(selection.empty[1].criterion, Criterion::bic);
}

TEST(Selection, OneMeasurementOfTheCapacityUsesItsOwnError) {
  RoleTrial three = trial(3, {}, {}, {}, {1.55}, RoleTrial::none);
  three.capacity_error = 0.03;
  RoleTrial four = trial(4, {}, {}, {}, {1.58}, RoleTrial::none);
  four.capacity_error = 0.02;
  Selection selection = choose_roles({three, four});
  EXPECT_EQ(selection.capacity, 3U);
  EXPECT_EQ(selection.rows[0].capacity_se, 0.03);
  EXPECT_FALSE(selection.held_out);
  EXPECT_FALSE(selection.bic);
  EXPECT_TRUE(std::isnan(selection.rows[0].stability));
  three.capacity_error = four.capacity_error = 0.01;
  EXPECT_EQ(choose_roles({three, four}).capacity, 4U);
  EXPECT_FALSE(choose_roles({}).capacity);
}

}  // namespace
}  // namespace motet::roles::selection_test
