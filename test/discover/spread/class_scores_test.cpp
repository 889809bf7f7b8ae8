#include "motet/discover/spread/class_scores.h"

#include <gtest/gtest.h>

#include <cmath>

#include "discover/spread/spread_cases.h"

namespace motet::discover::class_scores_test {
namespace {

struct Fitted {
  WhitenedRows whitened;
  std::vector<Example> examples;
  ClassScores scores;
};

Fitted fitted(const SpreadCase& c) {
  Fitted result{whitened_rows(c.features, 6, {}), {}, {}};
  result.examples = examples_of(result.whitened, c.features, held_answers(c.discovery), 6);
  result.scores =
      fit_class_scores(result.whitened, c.features, result.examples, c.discovery.mixture.classes.size() - 1, 6, {});
  return result;
}

std::vector<double> scores_at(const Fitted& fit, std::size_t row) {
  std::vector<double> scores(fit.scores.classes);
  fit.scores.score(fit.whitened.row(row), scores);
  return scores;
}

TEST(ClassScores, TellClassesFromEachOtherAndFromTheBackground) {
  SpreadCase c(400, {50, 200}, {100, 300});
  c.say(54, "a");
  c.say(104, "b");
  c.say(20, "");
  const Fitted fit = fitted(c);
  for (const std::size_t row : {202U, 207U}) {
    EXPECT_GT(scores_at(fit, row)[0], 0.0);
    EXPECT_LT(scores_at(fit, row)[1], scores_at(fit, row)[0] - 1.0);
  }
  EXPECT_GT(scores_at(fit, 305)[1], 0.0);
  for (const std::size_t row : {20U, 150U, 250U, 399U}) {
    EXPECT_LT(scores_at(fit, row)[0], 0.0) << row;
    EXPECT_LT(scores_at(fit, row)[1], 0.0) << row;
  }
}

TEST(ClassScores, LearnFromWhereNothingIs) {
  SpreadCase c(400, {50, 200}, {});
  c.say(54, "a");
  const double before = scores_at(fitted(c), 204)[0];
  c.say(204, "");
  EXPECT_LT(scores_at(fitted(c), 204)[0], before - 0.5);
}

// The slope of the objective of the header, written down again, is zero at what was fitted.
TEST(ClassScores, AreTheMinimumOfThePenalisedLoss) {
  SpreadCase c(120, {50}, {});
  c.say(54, "a");
  const Fitted fit = fitted(c);
  const double root = 2.0;  // of four columns
  std::vector<double> slope(5, 0.0);
  std::size_t background = 0;
  for (std::size_t n = 0; n < 120; ++n) background += n < 48 || n > 60 ? 1 : 0;
  for (std::size_t n = 0; n < 120; ++n) {
    const bool is_event = n >= 50 && n < 60;
    if (!is_event && n >= 48 && n <= 60) continue;  // within the radius of the answer
    const double p = 1.0 / (1.0 + std::exp(-scores_at(fit, n)[0]));
    const double weight = is_event ? 4.0 / 10.0 : 20.0 / static_cast<double>(background);
    for (std::size_t d = 0; d < 4; ++d) {
      slope[d] += weight * (p - (is_event ? 1.0 : 0.0)) * static_cast<double>(fit.whitened.row(n)[d]) / root;
    }
    slope[4] += weight * (p - (is_event ? 1.0 : 0.0));
  }
  for (std::size_t d = 0; d < 4; ++d) slope[d] += 0.3 * root * fit.scores.weights[d];
  for (const double one : slope) EXPECT_NEAR(one, 0.0, 2e-3);
}

TEST(ClassScores, OfAnExampleFromElsewhereCountItsMean) {
  SpreadCase c(400, {200}, {});
  c.discovery.mixture.classes.emplace_back("a");
  Fitted fit = fitted(c);
  std::vector<float> mean(fit.whitened.row(204).begin(), fit.whitened.row(204).end());
  fit.examples.push_back({1, {}, mean, 10.0});
  fit.scores = fit_class_scores(fit.whitened, c.features, fit.examples, 1, 6, {});
  EXPECT_GT(scores_at(fit, 205)[0], scores_at(fit, 100)[0] + 2.0);
}

}  // namespace
}  // namespace motet::discover::class_scores_test
