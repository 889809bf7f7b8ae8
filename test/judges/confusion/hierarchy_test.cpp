#include "motet/judges/confusion/hierarchy.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numeric>

#include "judges/tied_votes.h"
#include "judges/vote_cases.h"
#include "motet/judges/confusion/fit.h"
#include "motet/judges/simulate.h"
#include "support/threads.h"

namespace motet::judges::hierarchy_test {
namespace {

Echo echo_of(const VoteTable& table, ConfusionSpec spec = {}, const RunContext& run = {}) {
  spec.prior = centred_prior(vote_shares(table));
  const ConfusionFit fit = fit_confusion(table, spec, 1, {}, {});
  return measure_echo(table, fit.result.parameters, run);
}

// A share of the items is hard: there every judge does little better than guess.
Votes votes_with_hard_items(std::size_t judges, double hard, double answered, Seed seed) {
  Rng rng(seed);
  std::vector<std::vector<int>> rows;
  for (int i = 0; i < 1500; ++i) {
    const int truth = rng.uniform() < 0.5 ? 1 : 0;
    const double accuracy = rng.uniform() < hard ? 0.6 : 0.95;
    std::vector<int> row;
    for (std::size_t j = 0; j < judges; ++j) {
      const int said = rng.uniform() < accuracy ? truth : 1 - truth;
      row.push_back(rng.uniform() < answered ? said : no_vote);
    }
    rows.push_back(row);
  }
  return votes_from(rows, 2);
}

TEST(VoteSharesOf, CountEveryItemOnce) {
  const Votes votes = votes_from({{0, 0, 1}, {1, 1, no_vote}, {no_vote, no_vote, no_vote}}, 2);
  const VoteShares shares = vote_shares(make_vote_table(votes));
  EXPECT_DOUBLE_EQ(shares.classes[0], (2.0 / 3.0) / 2.0);
  EXPECT_DOUBLE_EQ(shares.classes[1], (1.0 / 3.0 + 1.0) / 2.0);
  // Row 0: 1 + 2/3 * 2 votes for 0, 1 + 2/3 for 1. Row 1: 1 + 1/3 * 2, and 1 + 1/3 + 2.
  EXPECT_DOUBLE_EQ(shares.centre[0], (1.0 + 4.0 / 3.0) / 4.0);
  EXPECT_DOUBLE_EQ(shares.centre[1], (1.0 + 2.0 / 3.0) / 4.0);
  EXPECT_DOUBLE_EQ(shares.centre[2], (1.0 + 2.0 / 3.0) / 5.0);
  EXPECT_DOUBLE_EQ(shares.centre[3], (1.0 + 1.0 / 3.0 + 2.0) / 5.0);
}

TEST(VoteSharesOf, TrustKnownClasses) {
  Votes votes = votes_from({{0, 0, 1}}, 2);
  votes.known = {1};
  const VoteShares shares = vote_shares(make_vote_table(votes));
  EXPECT_EQ(shares.classes, (std::vector<double>{0.0, 1.0}));
  EXPECT_DOUBLE_EQ(shares.centre[0], 0.5);  // nothing was seen of class 0
  EXPECT_DOUBLE_EQ(shares.centre[2], 3.0 / 5.0);
}

TEST(CentredPrior, WeighsTwoVotesARow) {
  const Votes votes = random_votes({}, Seed{1});
  const ConfusionPrior prior = centred_prior(vote_shares(make_vote_table(votes)));
  for (std::size_t y = 0; y < 3; ++y) {
    EXPECT_NEAR(std::accumulate(&prior.cells[3 * y], &prior.cells[3 * y] + 3, 0.0), centre_strength, 1e-12);
    EXPECT_DOUBLE_EQ(prior.class_mass[y], 1.0 / 3.0);
  }
}

TEST(MeasureEcho, IsOneForIndependentJudges) {
  for (const std::size_t classes : {2U, 4U}) {
    SimulateOptions options;
    options.items = 3000;
    options.judges = 10;
    options.classes = classes;
    options.answered = 0.8;
    const Votes votes = simulate_votes(options, Seed{7}).votes;
    const Echo echo = echo_of(make_vote_table(votes));
    EXPECT_NEAR(echo.phi, 1.0, 4.0 * echo.standard_error);
    EXPECT_LT(echo.standard_error, 0.05);
    EXPECT_EQ(echo.vote_weight, 1.0);
  }
}

TEST(MeasureEcho, IsAboveOneWhenJudgesShareHardItems) {
  const Votes votes = votes_with_hard_items(10, 0.3, 1.0, Seed{1});
  const Echo echo = echo_of(make_vote_table(votes));
  EXPECT_GT(echo.phi, 1.0 + 4.0 * echo.standard_error);
  EXPECT_LT(echo.vote_weight, 1.0);
  EXPECT_DOUBLE_EQ(echo.vote_weight, std::max(1.0 / (1.0 + 5.0 * (echo.phi - 1.0)), 0.3));
}

TEST(MeasureEcho, LeavesAQuarterOfAVoteAndThreeVotesAnItem) {
  const Votes many = votes_with_hard_items(40, 0.3, 1.0, Seed{2});
  EXPECT_DOUBLE_EQ(echo_of(make_vote_table(many)).vote_weight, 0.25);
  const Votes five = votes_with_hard_items(5, 0.3, 1.0, Seed{3});
  EXPECT_GE(echo_of(make_vote_table(five)).vote_weight, 3.0 / 5.0);
  const Votes three = votes_with_hard_items(3, 0.3, 1.0, Seed{4});
  EXPECT_EQ(echo_of(make_vote_table(three)).vote_weight, 1.0);
}

TEST(MeasureEcho, SaysNothingOfJudgesWhoseVotesTellNothing) {
  const Votes votes = random_votes({.items = 50, .judges = 3, .classes = 2}, Seed{1});
  const VoteTable table = make_vote_table(votes);
  const std::vector<double> guessing(2 + 3 * 4, 0.5);
  const Echo echo = measure_echo(table, guessing, {});
  EXPECT_EQ(echo.phi, 1.0);
  EXPECT_EQ(echo.vote_weight, 1.0);
}

TEST(MeasureEcho, SameBitsOnAnyNumberOfThreads) {
  const Votes votes = random_votes({.items = 20'000, .judges = 9, .classes = 3}, Seed{1});
  const VoteTable table = make_vote_table(votes);
  const std::vector<double> at = random_parameters(9, 3, Rng(Seed{2}));
  RunContext run;
  run.threads.count = 1;
  const Echo one = measure_echo(table, at, run);
  for (const unsigned threads : {2U, 4U}) {
    StartedThreads started(threads);
    run.threads = started;
    EXPECT_EQ(measure_echo(table, at, run).phi, one.phi);
    EXPECT_EQ(measure_echo(table, at, run).standard_error, one.standard_error);
  }
}

TEST(DiscountedPrior, ShrinksWithTheVotesAndHoldsTheClasses) {
  const Votes votes = random_votes({.items = 100}, Seed{1});
  const VoteTable table = make_vote_table(votes);
  const VoteShares shares = vote_shares(table);
  const ConfusionPrior full = centred_prior(shares);
  const ConfusionPrior same = discounted_prior(table, shares, 1.0);
  EXPECT_EQ(same.cells, full.cells);
  EXPECT_EQ(same.class_mass, full.class_mass);
  const ConfusionPrior half = discounted_prior(table, shares, 0.5);
  for (std::size_t i = 0; i < full.cells.size(); ++i) EXPECT_DOUBLE_EQ(half.cells[i], 0.5 * full.cells[i]);
  for (std::size_t y = 0; y < 3; ++y) {
    EXPECT_NEAR(half.class_mass[y], full.class_mass[y] + 100.0 * shares.classes[y], 1e-10);
  }
}

}  // namespace
}  // namespace motet::judges::hierarchy_test
