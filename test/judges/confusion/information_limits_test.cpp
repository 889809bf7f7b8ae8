// Blocks, rank and intervals of information.h.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <cmath>
#include <limits>

#include "judges/vote_cases.h"
#include "motet/judges/confusion/information.h"
#include "support/threads.h"

namespace motet::judges::information_limits_test {
namespace {

constexpr std::size_t always_blocks = 0;  // limit of the whole matrix

void expect_blocks_equal_whole(const Votes& votes, const ConfusionSpec& spec, double tolerance) {
  const VoteTable table = make_vote_table(votes);
  const bool symmetric = spec.noise == JudgeNoise::symmetric;
  std::vector<double> at = random_parameters(table.judge_count, table.class_count, Rng(Seed{2}), symmetric);
  std::copy(spec.known_prior.begin(), spec.known_prior.end(), at.begin());
  for (const InformationKind kind : {InformationKind::observed, InformationKind::outer_product}) {
    const Uncertainty whole = uncertainty(table, spec, at, kind, {});
    const Uncertainty apart = uncertainty(table, spec, at, kind, {}, always_blocks);
    EXPECT_FALSE(whole.judges_apart);
    EXPECT_TRUE(apart.judges_apart);
    EXPECT_EQ(whole.rank, apart.rank);
    for (std::size_t j = 0; j < table.judge_count; ++j) {
      EXPECT_NEAR(apart.accuracy_votes[j], whole.accuracy_votes[j], tolerance * whole.accuracy_votes[j]) << j;
    }
    for (std::size_t i = 0; i < whole.confusion_votes.size(); ++i) {
      EXPECT_NEAR(apart.confusion_votes[i], whole.confusion_votes[i], tolerance * whole.confusion_votes[i]) << i;
    }
  }
}

TEST(InformationBlocks, EqualTheWholeWhenJudgesShareNoItems) {
  Votes votes = random_votes({.items = 600, .judges = 1, .classes = 2, .answered = 1.0}, Seed{1});
  std::vector<Vote> list;  // every item to one of three judges
  for (std::uint32_t i = 0; i < 600; ++i) list.push_back({i, i % 3, votes.codes[i]});
  votes = make_votes(votes.items, NameList(std::vector<std::string>{"a", "b", "c"}), votes.classes, list);
  constexpr double rounding = 1e-9;
  expect_blocks_equal_whole(votes, {JudgeNoise::symmetric, {0.8, 0.2}, {}}, rounding);
}

TEST(InformationBlocks, EqualTheWholeWhenEveryClassIsKnown) {
  constexpr double rounding = 1e-9;
  const Votes votes = random_votes({.items = 300, .judges = 4, .classes = 3, .gold = 1.1}, Seed{1});
  // Observed information only: outer products between judges vanish on average, not in one sample.
  const VoteTable table = make_vote_table(votes);
  const ConfusionSpec spec{JudgeNoise::confusion, {0.3, 0.3, 0.4}, {}};
  std::vector<double> at = random_parameters(4, 3, Rng(Seed{2}));
  std::copy(spec.known_prior.begin(), spec.known_prior.end(), at.begin());
  const Uncertainty whole = uncertainty(table, spec, at, InformationKind::observed, {});
  const Uncertainty apart = uncertainty(table, spec, at, InformationKind::observed, {}, always_blocks);
  for (std::size_t j = 0; j < 4; ++j) {
    EXPECT_NEAR(apart.accuracy_votes[j], whole.accuracy_votes[j], rounding * whole.accuracy_votes[j]);
  }
}

TEST(InformationBlocks, AreTooNarrowNeverTooWideWhenJudgesShareItems) {
  const Votes votes = random_votes({.items = 400, .judges = 4, .classes = 2}, Seed{3});
  const VoteTable table = make_vote_table(votes);
  const EmProblem problem = confusion_problem(table, {});
  const std::vector<double> at = run_em(problem, equal_accuracy_start(table, {}, 0.7), {}, {}).parameters;
  const Uncertainty whole = uncertainty(table, {}, at, InformationKind::observed, {});
  const Uncertainty apart = uncertainty(table, {}, at, InformationKind::observed, {}, always_blocks);
  for (std::size_t j = 0; j < 4; ++j) EXPECT_GT(apart.accuracy_votes[j], whole.accuracy_votes[j]);
}

TEST(InformationRank, TwoJudgesWithConfusionTablesAreUndetermined) {
  const Votes votes = random_votes({.items = 500, .judges = 2, .classes = 2, .answered = 1.0}, Seed{1});
  const VoteTable table = make_vote_table(votes);
  // At the maximum, where the likelihood is flat along a curve: 3 frequencies for 5 parameters.
  const std::vector<double> at =
      run_em(confusion_problem(table, {}), equal_accuracy_start(table, {}, 0.7), {50'000, 1e-13}, {}).parameters;
  const Uncertainty found = uncertainty(table, {}, at, InformationKind::observed, {});
  EXPECT_EQ(found.free_parameters, 5U);
  EXPECT_EQ(found.rank, 3U);
  EXPECT_EQ(found.undetermined, (std::vector<std::size_t>{0, 1}));
  EXPECT_EQ(found.accuracy_votes, (std::vector<double>{0.0, 0.0}));
}

TEST(InformationRank, AJudgeWithoutVotesAloneIsUndetermined) {
  Votes votes = random_votes({.items = 500, .judges = 3, .classes = 2}, Seed{1});
  votes.judges.push_back("silent");
  const VoteTable table = make_vote_table(votes);
  const std::vector<double> at = random_parameters(4, 2, Rng(Seed{2}));
  for (const std::size_t limit : {dense_limit, always_blocks}) {
    const Uncertainty found = uncertainty(table, {}, at, InformationKind::outer_product, {}, limit);
    EXPECT_EQ(found.undetermined, (std::vector<std::size_t>{3}));
    EXPECT_EQ(found.accuracy_votes[3], 0.0);
  }
}

TEST(InformationRank, SameBitsOnAnyNumberOfThreads) {
  const Votes votes = random_votes({.items = 20'000, .judges = 9, .classes = 3}, Seed{1});
  const VoteTable table = make_vote_table(votes);
  const std::vector<double> at = random_parameters(9, 3, Rng(Seed{2}));
  std::vector<double> one;
  for (const unsigned threads : {1U, 2U, 4U}) {
    RunContext run;
    StartedThreads started(threads);
    run.threads = started;
    const Uncertainty found = uncertainty(table, {}, at, InformationKind::outer_product, run, always_blocks);
    if (one.empty()) one = found.accuracy_votes;
    EXPECT_EQ(found.accuracy_votes, one);
  }
}

RC_GTEST_PROP(ProbabilityInterval, IsInsideAndShrinksWithVotes, (std::uint16_t share, std::uint16_t drawn_votes)) {
  const double estimate = share / 65535.0;
  const double votes = drawn_votes / 16.0;
  const Interval narrow = probability_interval(estimate, 4.0 * votes + 10.0, 0.95);
  const Interval wide = probability_interval(estimate, votes, 0.95);
  const Interval wider = probability_interval(estimate, votes, 0.99);
  RC_ASSERT(wide.low >= 0.0 && wide.high <= 1.0 && wide.low < wide.high);
  RC_ASSERT(narrow.high - narrow.low < wide.high - wide.low);
  RC_ASSERT(wider.low <= wide.low && wide.high <= wider.high);
  const Interval mirrored = probability_interval(1.0 - estimate, votes, 0.95);
  RC_ASSERT(std::abs(mirrored.low + wide.high - 1.0) < 1e-9);  // what the quantiles are computed to
}

TEST(ProbabilityInterval, AtTheEnds) {
  EXPECT_EQ(probability_interval(0.3, std::numeric_limits<double>::infinity(), 0.95), (Interval{0.3, 0.3}));
  EXPECT_GT(probability_interval(1.0, 100.0, 0.95).low, 0.97);
  EXPECT_LT(probability_interval(1.0, 100.0, 0.95).low, 0.98);
  const Interval nothing = probability_interval(0.5, 0.0, 0.95);
  EXPECT_LT(nothing.low, 0.01);
  EXPECT_GT(nothing.high, 0.99);
}

TEST(ProbabilityInterval, CoversABinomialShareNearlyAsOftenAsItSays) {
  // Jeffreys' interval, every outcome enumerated: near 0.95 on average, single values swing.
  constexpr double mean_tolerance = 0.005;
  constexpr double least_coverage = 0.88;  // Brown, Cai and DasGupta 2001, figure 5, inside [0.1, 0.9]
  for (const int n : {20, 50, 200}) {
    double mean = 0.0;
    constexpr int steps = 200;
    for (int step = 0; step < steps; ++step) {
      const double p = 0.1 + 0.8 * (step + 0.5) / steps;
      double covered = 0.0;
      for (int x = 0; x <= n; ++x) {
        const double log_choose = std::lgamma(n + 1.0) - std::lgamma(x + 1.0) - std::lgamma(n - x + 1.0);
        const double chance = std::exp(log_choose + x * std::log(p) + (n - x) * std::log1p(-p));
        if (probability_interval(static_cast<double>(x) / n, n, 0.95).contains(p)) covered += chance;
      }
      EXPECT_GT(covered, least_coverage) << n << " " << p;
      mean += covered / steps;
    }
    EXPECT_NEAR(mean, 0.95, mean_tolerance) << n;
  }
}

TEST(StandardError, IsThatOfAShare) {
  EXPECT_DOUBLE_EQ(standard_error(0.2, 100.0), 0.04);
  EXPECT_TRUE(std::isinf(standard_error(0.2, 0.0)));
  EXPECT_TRUE(std::isinf(standard_error(1.0, 0.0)));  // nothing is known, not everything
  EXPECT_EQ(standard_error(0.2, std::numeric_limits<double>::infinity()), 0.0);
}

}  // namespace
}  // namespace motet::judges::information_limits_test
