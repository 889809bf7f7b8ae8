#include "motet/judges/confusion/separate.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "judges/vote_cases.h"

namespace motet::judges::separate_test {
namespace {

constexpr EmRule exactly{50'000, 1e-13, 1.0, true};
const std::vector<double> unequal{0.7, 0.3};

SeparateFit fitted(const Votes& votes, const ConfusionSpec& spec) {
  return fit_separately(make_vote_table(votes), spec, exactly, InformationKind::observed, {});
}

TEST(BinaryAccuracy, IsTheRootOfEquation9CutAtTheBorders) {
  EXPECT_DOUBLE_EQ(binary_accuracy(0.6, 0.75), 0.7);  // 0.75 theta + 0.25 (1 - theta) = 0.6
  EXPECT_EQ(binary_accuracy(0.95, 0.75), 1.0);        // cut at the border (erratum E1)
  EXPECT_EQ(binary_accuracy(0.05, 0.75), 0.0);
}

TEST(Separately, TheClosedFormIsTheMaximumOfTheLikelihood) {
  const Votes votes = random_votes({.items = 500, .judges = 1, .classes = 2}, Seed{1});
  const SeparateFit fit = fitted(votes, {JudgeNoise::symmetric, unequal, {}});
  double first = 0.0;
  for (const std::uint32_t code : votes.codes) first += code % 2 == 0 ? 1.0 : 0.0;
  const auto count = static_cast<double>(votes.codes.size());
  const auto likelihood = [&](double theta) {
    const double p = 0.7 * theta + 0.3 * (1.0 - theta);
    return first * std::log(p) + (count - first) * std::log(1.0 - p);
  };
  const double found = accuracy_of(fit.parameters, 2, 0);
  EXPECT_EQ(fit.iterations, 0U);
  EXPECT_NEAR(fit.log_likelihood, likelihood(found), 1e-9);
  for (const double step : {-0.01, 0.01}) EXPECT_GT(likelihood(found), likelihood(std::clamp(found + step, 1e-9, 1.0)));
  // A hair of smoothing sends it through EM, to the same place.
  const ConfusionSpec smoothed{JudgeNoise::symmetric, unequal, {std::vector<double>(4, 1e-9), {}}};
  const SeparateFit by_steps = fitted(votes, smoothed);
  EXPECT_GT(by_steps.iterations, 0U);
  EXPECT_NEAR(accuracy_of(by_steps.parameters, 2, 0), found, 1e-6);
}

// With every class known, tables are shares of counts, and the likelihood is a sum of logarithms.
TEST(Separately, KnownClassesMakeTablesOfCounts) {
  const Votes votes = random_votes({.items = 300, .judges = 3, .classes = 3, .gold = 1.1}, Seed{2});
  const std::vector<double> prior{0.5, 0.3, 0.2};
  const SeparateFit fit = fitted(votes, {JudgeNoise::confusion, prior, {std::vector<double>(9, 0.0), {}}});
  std::vector<double> counts(27, 0.0);
  std::vector<double> by_class(9, 0.0);  // judge * 3 + true class
  for (std::size_t i = 0; i < votes.item_count(); ++i) {
    for (const std::uint32_t code : votes.of_item(i)) {
      const auto truth = static_cast<std::size_t>(votes.known[i]);
      counts[code * 3 + truth] += 1.0;
      by_class[code / 3 * 3 + truth] += 1.0;
    }
  }
  double expected = 0.0;
  for (std::size_t cell = 0; cell < 27; ++cell) {
    const std::size_t truth = cell % 3;
    const double share = counts[cell] / by_class[cell / 9 * 3 + truth];
    EXPECT_NEAR(fit.parameters[3 + cell], share, 1e-12);
    EXPECT_NEAR(fit.statistics[4 + cell], counts[cell], 1e-9);
    expected += counts[cell] * std::log(prior[truth] * share);
  }
  EXPECT_NEAR(fit.log_likelihood, expected, 1e-9 * std::abs(expected));
  EXPECT_EQ(fit.accuracy_votes.size(), 3U);
  EXPECT_EQ(fit.confusion_votes.size(), 27U);
}

TEST(Separately, JudgesDoNotHearEachOther) {
  const Votes votes = random_votes({.items = 200, .judges = 4, .classes = 2, .answered = 0.7}, Seed{3});
  const ConfusionSpec spec{JudgeNoise::symmetric, unequal, {}};
  const SeparateFit all = fitted(votes, spec);
  double likelihood = 0.0;
  for (std::uint32_t j = 0; j < 4; ++j) {
    std::vector<Vote> own;
    for (std::uint32_t i = 0; i < votes.item_count(); ++i) {
      for (const std::uint32_t code : votes.of_item(i)) {
        if (code / 2 == j) own.push_back({i, 0, code % 2});
      }
    }
    const NameList alone(std::vector<std::string>{"alone"});
    const SeparateFit one = fitted(make_votes(votes.items, alone, votes.classes, own), spec);
    EXPECT_DOUBLE_EQ(accuracy_of(all.parameters, 2, j), accuracy_of(one.parameters, 2, 0));
    EXPECT_NEAR(all.accuracy_votes[j], one.accuracy_votes[0], 1e-9 * one.accuracy_votes[0]);
    likelihood += one.log_likelihood;
  }
  EXPECT_NEAR(all.log_likelihood, likelihood, 1e-9);
}

TEST(Separately, AJudgeWithoutVotesIsLeftAtItsStart) {
  Votes votes = random_votes({.items = 50, .judges = 1, .classes = 2}, Seed{4});
  votes.judges.push_back("silent");
  const SeparateFit fit = fitted(votes, {JudgeNoise::symmetric, unequal, {}});
  EXPECT_DOUBLE_EQ(accuracy_of(fit.parameters, 2, 1), 0.75);
  EXPECT_EQ(fit.accuracy_votes[1], 0.0);
}

}  // namespace
}  // namespace motet::judges::separate_test
