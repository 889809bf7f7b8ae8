#include "motet/multilabel/choice/choose.h"

#include <gtest/gtest.h>

#include "motet/base/error.h"
#include "motet/multilabel/train.h"
#include "multilabel/choice_cases.h"
#include "support/cancelled.h"
#include "support/errors.h"
#include "support/threads.h"

namespace motet::multilabel::choose_test {
namespace {

TEST(TryWays, SaysWhyNoWayFits) {
  const LabelledItems items = simulated(Family::gaussian, Combination::sum, 90, 7);
  std::vector<TrainOptions> ways(1);
  ways[0].covariance = Covariance::point;  // without noise it has no spread
  EXPECT_EQ(error_of([&] { try_ways(items, ways, 3, {}); }, ErrorKind::unanswerable),
            "no way of training fits these items; the first, deconvolution sum point, fails in a part of them: "
            "--covariance point is without spread; it needs --noise");
}

TEST(TryWays, FindsTheFamilyThatMadeTheItems) {
  LabelledItems items = simulated(Family::poisson, Combination::sum, 240, 6);
  TrainOptions options;
  options.folds = 3;
  std::vector<TrainOptions> ways(2, options);
  ways[0].method = Training::cross;
  ways[1].source = Family::poisson;
  const std::vector<Trial> trials = try_ways(items, ways, 3, {});
  ASSERT_EQ(trials.size(), 2U);
  EXPECT_EQ(trials[0].name, "deconvolution poisson sum");
  EXPECT_EQ(trials[0].behind, 0.0);
  EXPECT_GT(trials[1].behind, trials[1].behind_error);
  EXPECT_NEAR(trials[1].behind, trials[1].error - trials[0].error, 1e-12);
}

// Where every item has a rare label with a small probability, whole sets and F1 want different ways and thresholds.
TEST(TryWays, GoByTheMeasureThatIsAskedFor) {
  const LabelledItems items = simulated(Family::gaussian, Combination::sum, 150, 21);
  TrainOptions options;
  std::vector<TrainOptions> ways(3, options);
  ways[0].method = Training::cross;
  ways[1].method = Training::logistic;
  ways[2].prior_strength = 1.0;
  for (const Optimize optimize :
       {Optimize::exact_match, Optimize::log_loss, Optimize::hamming, Optimize::micro_f1, Optimize::macro_f1}) {
    for (TrainOptions& way : ways) way.optimize = optimize;
    const std::vector<Trial> trials = try_ways(items, ways, 3, {});
    ASSERT_EQ(trials.size(), 3U);
    for (const Trial& trial : trials) {
      EXPECT_GT(trial.loss, 0.0);
      if (optimize == Optimize::exact_match) {
        EXPECT_EQ(trial.loss, trial.error);
        continue;
      }
      EXPECT_GE(trial.loss, trials[0].loss);
      EXPECT_TRUE(optimize != Optimize::log_loss || trial.loss == trial.log_loss);
      // A wrong set has from one to all three labels wrong.
      if (optimize == Optimize::hamming) {
        EXPECT_LT(trial.loss, 1.5 * trial.error);
        EXPECT_GT(trial.loss, 0.2 * trial.error);
      }
    }
  }
}

TEST(TryWays, WithoutTimeOnlyTheFastestIsTried) {
  const LabelledItems items = simulated(Family::gaussian, Combination::sum, 90, 8);
  std::vector<TrainOptions> ways(4);
  ways[0].kernel = 50;
  ways[0].pca = 5;
  ways[1].prior_strength = 1.0;
  ways[2].method = Training::log_linear;
  ways[3].method = Training::chain;
  const std::vector<Trial> trials = try_ways(items, ways, 3, {}, {std::chrono::steady_clock::now()});
  ASSERT_EQ(trials.size(), 1U);
  EXPECT_EQ(trials[0].name, "log-linear penalty 0.1");
}

TEST(TryWays, LeavesOutWhatCannotBeFitted) {
  const LabelledItems items = simulated(Family::gaussian, Combination::sum, 90, 7);
  std::vector<TrainOptions> ways(2);
  ways[1].covariance = Covariance::point;  // without noise it has no spread
  const std::vector<Trial> trials = try_ways(items, ways, 3, {});
  ASSERT_EQ(trials.size(), 1U);
  EXPECT_EQ(trials[0].name, "deconvolution sum diagonal");
}

TEST(TryWays, GivesTheSameBitsOnAnyNumberOfThreads) {
  const LabelledItems items = simulated(Family::gaussian, Combination::sum, 90, 8);
  TrainOptions options;
  options.prior_strength = 1.0;
  std::vector<TrainOptions> ways(3, options);
  ways[1].standardize = true;
  ways[2].kernel = 50;
  ways[2].pca = 5;
  RunContext one;
  one.threads = {1};
  RunContext four;
  StartedThreads started(4);
  four.threads = started;
  const std::vector<Trial> a = try_ways(items, ways, 3, one);
  const std::vector<Trial> b = try_ways(items, ways, 3, four);
  ASSERT_EQ(a.size(), b.size());
  for (std::size_t i = 0; i < a.size(); ++i) {
    EXPECT_EQ(a[i].name, b[i].name);
    EXPECT_EQ(a[i].log_loss, b[i].log_loss);
  }
}

TEST(TryWays, StopsWhenAsked) {
  const LabelledItems items = simulated(Family::gaussian, Combination::sum, 60, 9);
  EXPECT_EQ(error_of([&] { try_ways(items, {TrainOptions{}}, 3, cancelled_run()); }, ErrorKind::interrupted),
            "interrupted while trying ways to train");
}

TEST(TryWays, NeedsAnItemAFold) {
  const LabelledItems items = simulated(Family::gaussian, Combination::sum, 4, 10);
  EXPECT_EQ(error_of([&] { try_ways(items, {TrainOptions{}}, 5, {}); }, ErrorKind::unanswerable),
            "--folds 5 is more than the 4 items; use fewer folds");
}

TEST(HeldOut, WhereNoOtherItemHasALabelNoneIsGiven) {
  LabelledItems items = simulated(Family::gaussian, Combination::sum, 12, 11);
  items.labels = {"only"};
  items.sets = BitMatrix(12, 1);
  items.sets.set(4, 0);
  for (const Training method : {Training::deconvolution, Training::log_linear, Training::chain}) {
    TrainOptions options;
    options.method = method;
    options.background = true;
    options.prior_strength = 1.0;
    options.optimize = Optimize::hamming;
    const HeldOut seen = held_out(items, options, 3, {});
    EXPECT_EQ(seen.right[4], 0);
    EXPECT_EQ(seen.counts.there[0], 1.0);
    EXPECT_EQ(seen.counts.right[0], 0.0);
  }
}

TEST(HeldOut, ALabelOfOneItemCostsOnlyThatItem) {
  LabelledItems items = simulated(Family::gaussian, Combination::sum, 90, 11);
  items.labels.push_back("rare");
  BitMatrix wider(90, 4);
  for (std::size_t n = 0; n < 90; ++n) {
    for_each_bit(items.sets.row(n), [&](std::size_t k) { wider.set(n, k); });
  }
  wider.set(0, 3);
  items.sets = wider;
  TrainOptions options;
  options.prior_strength = 1.0;
  const HeldOut seen = held_out(items, options, 3, {});
  EXPECT_EQ(seen.right[0], 0);
  EXPECT_EQ(seen.posterior.size(), 90U);
}

TEST(TrainMultilabel, AutoKeepsItsTrials) {
  const LabelledItems items = simulated(Family::bernoulli, Combination::logical_or, 120, 13);
  TrainOptions options;
  options.method = Training::automatic;
  options.source = Family::bernoulli;
  options.folds = 3;
  const MultilabelFit fit = train_multilabel(items, options, true, {});
  ASSERT_FALSE(fit.model.trials.empty());
  EXPECT_EQ(fit.model.options.method, fit.model.trials[0].options.method);
  EXPECT_TRUE(fit.model.calibration.known());
  const MultilabelModel read = multilabel_from_record(to_record(fit.model));
  EXPECT_EQ(read.trials.back().behind, fit.model.trials.back().behind);
  EXPECT_EQ(read.trials.back().behind_error, fit.model.trials.back().behind_error);
}

}  // namespace
}  // namespace motet::multilabel::choose_test
