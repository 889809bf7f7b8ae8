#include "motet/multilabel/baselines/logistic_regression.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "multilabel/baseline_cases.h"
#include "support/cancelled.h"
#include "support/expect_error.h"

namespace motet::multilabel::logistic_regression_test {
namespace {

constexpr double penalty = 10.0;  // 1 / C

// Scores of the test items for each class, by plain gradient steps on the loss. Two classes have one row of weights,
// of the second; the first has score 0.
std::vector<std::vector<double>> plain_scores(const BaselineCase& made, std::size_t classes) {
  const std::size_t D = made.data.dimensions;
  const std::size_t rows = made.of.size();
  const bool is_one = classes == 2;
  std::vector<std::vector<double>> w(classes, std::vector<double>(D + 1, 0.0));
  const auto score = [&](std::size_t c, const double* x) {
    double sum = w[c][D];
    for (std::size_t d = 0; d < D; ++d) sum += w[c][d] * x[d];
    return sum;
  };
  const double length = 1.0 / (penalty + static_cast<double>(rows));
  for (int step = 0; step < 1000; ++step) {
    std::vector<std::vector<double>> slope(classes, std::vector<double>(D + 1, 0.0));
    for (std::size_t c = is_one ? 1 : 0; c < classes; ++c) {
      for (std::size_t d = 0; d < D; ++d) slope[c][d] = penalty * w[c][d];
    }
    for (std::size_t n = 0; n < rows; ++n) {
      const double* const x = &made.data.train[n * D];
      std::vector<double> p(classes);
      double total = 0.0;
      for (std::size_t c = 0; c < classes; ++c) total += p[c] = std::exp(score(c, x));
      for (std::size_t c = is_one ? 1 : 0; c < classes; ++c) {
        const double away = p[c] / total - (made.of[n] == c ? 1.0 : 0.0);
        for (std::size_t d = 0; d < D; ++d) slope[c][d] += away * x[d];
        slope[c][D] += away;
      }
    }
    for (std::size_t c = is_one ? 1 : 0; c < classes; ++c) {
      for (std::size_t d = 0; d <= D; ++d) w[c][d] -= length * slope[c][d];
    }
  }
  std::vector<std::vector<double>> scores;
  for (std::size_t n = 0; n < made.data.test_rows(); ++n) {
    scores.emplace_back();
    for (std::size_t c = 0; c < classes; ++c) scores.back().push_back(score(c, &made.data.test[n * D]));
  }
  return scores;
}

void expect_plain_decisions(const BaselineCase& made, std::size_t classes) {
  const std::vector<std::uint32_t> found = logistic_regression(made.data, made.of, classes, {});
  const std::vector<std::vector<double>> scores = plain_scores(made, classes);
  std::size_t compared = 0;
  for (std::size_t n = 0; n < found.size(); ++n) {
    std::vector<double> order = scores[n];
    std::sort(order.begin(), order.end());
    if (order[classes - 1] - order[classes - 2] < 1e-3) continue;  // the steps end near the optimum, not at it
    ++compared;
    EXPECT_EQ(found[n], std::max_element(scores[n].begin(), scores[n].end()) - scores[n].begin()) << n;
  }
  EXPECT_GT(compared, found.size() / 2);
}

TEST(LogisticRegression, DecidesAtTheLeastOfItsLoss) {
  expect_plain_decisions(classes_on_a_circle(2, 15, 2, 0.8, Rng(Seed{3})), 2);
  expect_plain_decisions(classes_on_a_circle(3, 15, 2, 1.0, Rng(Seed{4})), 3);
}

// Where the classes part: two test items that differ by little lie on the two sides.
TEST(LogisticRegression, ThePenaltyIsOnTheWeightsAlone) {
  BaselineCase made = classes_on_a_circle(2, 20, 1, 0.3, Rng(Seed{5}));
  made.data.test = {0.0};
  // At the origin only the intercept speaks, and it says that the second class has twice the items.
  EXPECT_EQ(logistic_regression(made.data, made.of, 2, {})[0], 1U);
  expect_plain_decisions(made, 2);
}

TEST(LogisticRegression, StopsWhenAsked) {
  const BaselineCase made = classes_on_a_circle(3, 15, 2, 1.0, Rng(Seed{6}));
  expect_error(ErrorKind::interrupted, "interrupted while fitting a logistic regression",
               [&] { logistic_regression(made.data, made.of, 3, cancelled_run()); });
}

}  // namespace
}  // namespace motet::multilabel::logistic_regression_test
