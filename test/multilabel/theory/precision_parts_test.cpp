#include "motet/multilabel/theory/precision_parts.h"

#include <gtest/gtest.h>

#include <cmath>

#include "multilabel/precision_cases.h"

namespace motet::multilabel::precision_parts_test {
namespace {

constexpr double rounding = 1e-12;

TEST(SetRows, SayWhoIsInWhichSet) {
  Sources sources = sources_of({"", Family::gaussian, Combination::mean, Covariance::diagonal, true});
  const SetRows rows = set_rows(sources, sets_of({"101", "000"}));
  EXPECT_EQ(rows.member, (std::vector<double>{1, 0, 1, 1, 0, 0, 0, 1}));
  EXPECT_EQ(rows.degree, (std::vector<double>{3, 1}));
  EXPECT_EQ(rows.labels, (std::vector<double>{2, 0}));
  EXPECT_DOUBLE_EQ(rows.location(0, 2), 1.0 / 3.0);
  EXPECT_DOUBLE_EQ(rows.spread(0, 2), 1.0 / 9.0);
  EXPECT_EQ(rows.location(0, 1), 0.0);
  sources.combination = Combination::sum;
  EXPECT_EQ(set_rows(sources, sets_of({"101"})).location(0, 2), 1.0);
}

TEST(Lessons, AreThoseOfEachTraining) {
  const Sources sources = sources_of({"", Family::gaussian, Combination::sum, Covariance::diagonal, true});
  const SetRows rows = set_rows(sources, sets_of({"100", "101", "000", "010"}));
  using Numbers = std::vector<double>;
  EXPECT_EQ(lessons(rows, 0, Training::ignore, true), (Numbers{1, 0, 0, 0}));
  EXPECT_EQ(lessons(rows, 0, Training::fresh, true), (Numbers{1, 0, 0, 0}));
  EXPECT_EQ(lessons(rows, 0, Training::cross, true), (Numbers{1, 1, 0, 0}));
  EXPECT_EQ(lessons(rows, 0, Training::probabilistic, true), (Numbers{1.0 / 2, 1.0 / 3, 0, 0}));
  // The background alone is in items without labels.
  EXPECT_EQ(lessons(rows, 3, Training::ignore, true), (Numbers{0, 0, 1, 0}));
  EXPECT_EQ(lessons(rows, 3, Training::cross, true), (Numbers{1, 1, 1, 1}));
}

TEST(SharedMean, IsTheWeightedMeanAndItsVariance) {
  const std::vector<double> weight{1.0, 0.5, 0.0};
  const std::vector<double> count{10.0, 20.0, 99.0};
  const std::vector<double> mean{2.0, 5.0, 77.0};
  const std::vector<double> variance{1.0, 4.0, 9.0};
  const SharedMean found = shared_mean(weight, count, mean, variance);
  EXPECT_DOUBLE_EQ(found.limit, (10.0 * 2.0 + 10.0 * 5.0) / 20.0);
  // sum n w^2 (V + (E - limit)^2) / (sum n w)^2
  EXPECT_DOUBLE_EQ(found.variance, (10.0 * (1.0 + 2.25) + 5.0 * (4.0 + 2.25)) / 400.0);
  EXPECT_TRUE(std::isnan(shared_mean(std::vector{0.0, 0.0, 0.0}, count, mean, variance).limit));
}

TEST(InverseInformation, IsTheInverseWhereThereIsOne) {
  const std::vector<double> information{4.0, 1.0, 1.0, 2.0};
  const Inverse found = inverse_information(information, 2);
  EXPECT_NEAR(found.variance(0), 2.0 / 7.0, rounding);
  EXPECT_NEAR(found.variance(1), 4.0 / 7.0, rounding);
  EXPECT_NEAR(found.matrix[1], -1.0 / 7.0, rounding);
  // Units that lie far apart are no lack of information.
  const Inverse scaled = inverse_information(std::vector{4e18, 1e6, 1e6, 2e-6}, 2);
  EXPECT_NEAR(scaled.variance(1), 4e18 / (8e12 - 1e12), 1e-9 * 4e18 / 7e12);
}

TEST(InverseInformation, TellsWhatIsNotDetermined) {
  // Only the sum of the first two is seen, and the third by itself.
  const std::vector<double> information{3.0, 3.0, 0.0, 3.0, 3.0, 0.0, 0.0, 0.0, 5.0};
  const Inverse found = inverse_information(information, 3);
  EXPECT_TRUE(std::isnan(found.variance(0)));
  EXPECT_TRUE(std::isnan(found.variance(1)));
  EXPECT_NEAR(found.variance(2), 0.2, rounding);
  // Yet the sum of the two is known: 1' C 1 = 1 / 3.
  EXPECT_NEAR(found.matrix[0] + found.matrix[1] + found.matrix[3] + found.matrix[4], 1.0 / 3.0, rounding);
  const Inverse nothing = inverse_information(std::vector{0.0}, 1);
  EXPECT_TRUE(std::isnan(nothing.variance(0)));
}

TEST(PValues, AreThoseOfChiSquaredAndFisher) {
  for (const double x : {0.1, 1.0, 5.0, 20.0}) {
    // Two degrees of freedom: P(X > x) = exp(-x / 2); a scale of 3 stretches it.
    EXPECT_NEAR(scaled_chi_squared_p(x, 2.0, 4.0), std::exp(-x / 2.0), rounding);
    EXPECT_NEAR(scaled_chi_squared_p(3.0 * x, 6.0, 36.0), std::exp(-x / 2.0), rounding);
    // One: that of a squared normal number.
    EXPECT_NEAR(scaled_chi_squared_p(x, 1.0, 2.0), std::erfc(std::sqrt(x / 2.0)), rounding);
    // F with 2 and d degrees: (1 + 2 x / d)^(-d / 2).
    for (const double d : {1.0, 7.0, 30.0}) {
      EXPECT_NEAR(fisher_p(x, 2.0, d), std::pow(1.0 + 2.0 * x / d, -0.5 * d), rounding);
    }
  }
  EXPECT_EQ(scaled_chi_squared_p(0.0, 2.0, 4.0), 1.0);
  EXPECT_EQ(fisher_p(0.0, 2.0, 5.0), 1.0);
}

}  // namespace
}  // namespace motet::multilabel::precision_parts_test
