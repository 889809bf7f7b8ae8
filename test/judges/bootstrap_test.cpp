#include "motet/judges/bootstrap.h"

#include <gtest/gtest.h>

#include <cmath>

#include "judges/tied_votes.h"
#include "judges/vote_cases.h"
#include "motet/base/error.h"
#include "support/cancelled.h"
#include "support/errors.h"
#include "support/threads.h"

namespace motet::judges::bootstrap_test {
namespace {

TEST(Bootstrap, OfKnownItemsIsThatOfAShare) {
  // Every class known: the accuracy is a share of 400 answers, and so is its spread.
  const Votes votes = random_votes({.items = 400, .judges = 3, .classes = 2, .answered = 1.0, .gold = 1.1}, Seed{1});
  const VoteTable table = make_vote_table(votes);
  const ConfusionSpec spec{JudgeNoise::symmetric, {0.5, 0.5}, {}};
  const std::vector<double> at =
      run_em(confusion_problem(table, spec), equal_accuracy_start(table, spec, 0.7), {}, {}).parameters;
  const Bootstrap drawn = bootstrap_judges(table, spec, at, {}, 500, 0.95, {});
  for (std::size_t j = 0; j < 3; ++j) {
    const double accuracy = accuracy_of(at, 2, j);
    const double error = standard_error(accuracy, 400.0);
    EXPECT_NEAR(drawn.accuracy_sd[j] / error, 1.0, 4.0 / std::sqrt(2.0 * 500.0));  // four errors of the deviation
    EXPECT_TRUE(drawn.accuracy[j].contains(accuracy));
    EXPECT_NEAR(drawn.accuracy[j].high - drawn.accuracy[j].low, 2.0 * 1.96 * error, 0.25 * error * 2.0 * 1.96);
    EXPECT_EQ(drawn.cells[j][0], drawn.accuracy[j]);  // symmetric: said 0 when 0 is the accuracy
  }
  EXPECT_EQ(drawn.prior[0], (Interval{0.5, 0.5}));
}

TEST(Bootstrap, OfAJudgeWhoNeverErredIsNoPoint) {
  std::vector<std::vector<int>> rows;
  for (int i = 0; i < 40; ++i) rows.push_back({i % 2, i % 2, i % 5 == 0 ? 1 - i % 2 : i % 2});
  Votes votes = votes_from(rows, 2);
  for (int i = 0; i < 40; ++i) votes.known.push_back(i % 2);
  const VoteTable table = make_vote_table(votes);
  const ConfusionSpec spec{JudgeNoise::confusion, {}, {}};
  const std::vector<double> at =
      run_em(confusion_problem(table, spec), vote_share_start(table, spec), {}, {}).parameters;
  const Bootstrap drawn = bootstrap_judges(table, spec, at, {}, 50, 0.95, {});
  EXPECT_EQ(drawn.accuracy[0], probability_interval(1.0, 40.0, 0.95));
  EXPECT_LT(drawn.accuracy[0].low, 0.95);
  EXPECT_EQ(drawn.cells[0][0], probability_interval(1.0, 20.0, 0.95));
}

TEST(Bootstrap, MergedRowsAndSeparateOnesSpreadAlike) {
  const Votes votes = random_votes({.items = 500, .judges = 3, .classes = 2}, Seed{1});
  const VoteTable merged = make_vote_table(votes);
  ASSERT_FALSE(merged.weights.empty());
  VoteTable plain;
  plain.judge_count = 3;
  plain.class_count = 2;
  plain.starts = votes.starts;
  plain.codes = votes.codes;
  plain.leaves = cut_leaves(plain.starts);
  const ConfusionSpec spec{JudgeNoise::symmetric, {}, {}};
  const std::vector<double> at =
      run_em(confusion_problem(merged, spec), equal_accuracy_start(merged, spec, 0.7), {}, {}).parameters;
  const Bootstrap a = bootstrap_judges(merged, spec, at, {}, 300, 0.95, {});
  const Bootstrap b = bootstrap_judges(plain, spec, at, {}, 300, 0.95, {});
  for (std::size_t j = 0; j < 3; ++j) {
    EXPECT_NEAR(a.accuracy_sd[j] / b.accuracy_sd[j], 1.0, 4.0 / std::sqrt(300.0));  // two deviations from 300 each
  }
}

TEST(Bootstrap, AVoteThatASampleLeavesOutDoesNotSpoilIt) {
  // Class 2 is said once. In a third of the samples it never is, and plain likelihood makes it impossible.
  std::vector<std::vector<int>> rows;
  for (int i = 0; i < 60; ++i) rows.push_back({i % 2, i % 7 == 0 ? 1 - i % 2 : i % 2, i % 2});
  rows.push_back({2, 2, 2});
  const Votes votes = votes_from(rows, 3);
  const VoteTable table = make_vote_table(votes);
  const std::vector<double> at = run_em(confusion_problem(table, {}), vote_share_start(table, {}), {}, {}).parameters;
  const Bootstrap drawn = bootstrap_judges(table, {}, at, {}, 50, 0.95, {});
  for (std::size_t j = 0; j < 3; ++j) {
    EXPECT_GE(drawn.accuracy[j].low, 0.0);
    EXPECT_LE(drawn.accuracy[j].high, 1.0);
    EXPECT_TRUE(std::isfinite(drawn.accuracy_sd[j]));
  }
}

TEST(Bootstrap, SameOnAnyNumberOfThreadsAndAnotherSeedIsAnotherSample) {
  const Votes votes = random_votes({.items = 200, .judges = 3, .classes = 2}, Seed{1});
  const VoteTable table = make_vote_table(votes);
  const std::vector<double> at = equal_accuracy_start(table, {}, 0.7);
  RunContext run;
  run.threads.count = 1;
  const Bootstrap one = bootstrap_judges(table, {}, at, {}, 20, 0.9, run);
  StartedThreads started(4);
  run.threads = started;
  const Bootstrap four = bootstrap_judges(table, {}, at, {}, 20, 0.9, run);
  EXPECT_EQ(one.accuracy_sd, four.accuracy_sd);
  EXPECT_EQ(one.accuracy, four.accuracy);
  EXPECT_EQ(one.cells, four.cells);
  run.seed = Seed{2};
  EXPECT_NE(bootstrap_judges(table, {}, at, {}, 20, 0.9, run).accuracy_sd, one.accuracy_sd);
}

TEST(Bootstrap, AnInterruptionEndsIt) {
  const Votes votes = random_votes({}, Seed{1});
  const VoteTable table = make_vote_table(votes);
  EXPECT_EQ(
      error_of([&] { bootstrap_judges(table, {}, equal_accuracy_start(table, {}, 0.7), {}, 20, 0.9, cancelled_run()); },
               ErrorKind::interrupted),
      "interrupted while resampling");
}

}  // namespace
}  // namespace motet::judges::bootstrap_test
