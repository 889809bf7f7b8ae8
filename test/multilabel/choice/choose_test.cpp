#include "motet/multilabel/choice/choose.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "motet/base/error.h"
#include "motet/base/numeric.h"
#include "motet/multilabel/choice/ways.h"
#include "motet/multilabel/simulate.h"
#include "motet/multilabel/train.h"
#include "support/threads.h"

namespace motet::multilabel::choose_test {
namespace {

LabelledItems simulated(Family source, Combination combine, std::size_t items, std::uint64_t seed) {
  SimulateItemsOptions options;
  options.items = items;
  options.labels = 3;
  options.features = 4;
  options.max_degree = 2;
  options.source = source;
  options.combine = combine;
  return simulate_items(options, Seed{seed}).items;
}

bool has_way(const std::vector<TrainOptions>& ways, Family source, Combination combine) {
  return std::any_of(ways.begin(), ways.end(),
                     [&](const TrainOptions& way) { return way.source == source && way.combine == combine; });
}

TEST(WaysToTrain, FollowTheValuesOfTheData) {
  using enum Family;
  TrainOptions options;
  options.method = Training::automatic;
  const auto real = ways_to_train(simulated(gaussian, Combination::sum, 100, 1), options);
  EXPECT_TRUE(has_way(real, gaussian, Combination::mean));
  EXPECT_FALSE(has_way(real, poisson, Combination::sum));
  const auto yes_no = ways_to_train(simulated(bernoulli, Combination::logical_or, 100, 2), options);
  EXPECT_TRUE(has_way(yes_no, bernoulli, Combination::logical_or));
  const auto counts = ways_to_train(simulated(poisson, Combination::sum, 100, 3), options);
  EXPECT_TRUE(has_way(counts, poisson, Combination::sum));
  const auto positive = ways_to_train(simulated(gamma, Combination::sum, 100, 4), options);
  EXPECT_TRUE(has_way(positive, gamma, Combination::sum));
  EXPECT_TRUE(has_way(positive, exponential, Combination::minimum));
  EXPECT_TRUE(has_way(positive, lognormal, Combination::product));
  for (const auto* ways : {&real, &yes_no, &counts, &positive}) {
    for (const TrainOptions& way : *ways) EXPECT_NE(way.method, Training::automatic);
  }
}

TEST(WaysToTrain, HeedThePreparationThatIsAskedFor) {
  TrainOptions options;
  options.method = Training::automatic;
  options.pca = 2;
  for (const TrainOptions& way : ways_to_train(simulated(Family::gaussian, Combination::sum, 100, 5), options)) {
    EXPECT_EQ(way.pca, 2U);
    EXPECT_EQ(way.kernel, 0U);
  }
}

TEST(WaysToTrain, HeedTheOptionsThatWereGiven) {
  const LabelledItems items = simulated(Family::gaussian, Combination::sum, 100, 5);
  TrainOptions options;
  options.method = Training::automatic;
  const TrainOptions fresh = options;
  const auto ways = [&] { return ways_to_train(items, options); };
  const std::size_t all = ways().size();
  options.combine = Combination::mean;
  EXPECT_EQ(ways().size(), all);  // a default of another kind restricts nothing
  options.given.combine = true;
  ASSERT_FALSE(ways().empty());
  for (const TrainOptions& way : ways()) {
    EXPECT_EQ(way.combine, Combination::mean);
    EXPECT_NE(way.method, Training::fresh);
  }
  options = fresh;
  options.covariance = Covariance::diagonal;
  options.given.covariance = true;
  for (const TrainOptions& way : ways()) EXPECT_EQ(way.covariance, Covariance::diagonal);
  options = fresh;
  options.background = true;
  options.given.background = true;
  for (const TrainOptions& way : ways()) EXPECT_TRUE(way.background);
  options = fresh;
  options.noise = true;
  options.given.noise = true;
  for (const TrainOptions& way : ways()) EXPECT_TRUE(way.noise);
  options = fresh;
  options.kernel_width = 2.0;
  options.given.kernel_width = true;
  for (const TrainOptions& way : ways()) EXPECT_TRUE(way.kernel == 0 || way.kernel_width == 2.0);
  const LabelledItems positive = simulated(Family::gamma, Combination::sum, 100, 4);
  options = fresh;
  options.given.source = true;
  for (const TrainOptions& way : ways_to_train(positive, options)) EXPECT_EQ(way.source, Family::gaussian);
}

TEST(TryWays, SaysWhyNoWayFits) {
  const LabelledItems items = simulated(Family::gaussian, Combination::sum, 90, 7);
  std::vector<TrainOptions> ways(1);
  ways[0].covariance = Covariance::point;  // without noise it has no spread
  try {
    try_ways(items, ways, 3, {});
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::unanswerable);
    EXPECT_STREQ(error.what(),
                 "no way of training fits these items; the first, deconvolution sum point, fails in a part of them: "
                 "covariance = point is without spread; it needs noise");
  }
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
  CancelFlag cancel;
  cancel.set(2);
  RunContext run;
  run.cancel = &cancel;
  try {
    try_ways(items, {TrainOptions{}}, 3, run);
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::interrupted);
    EXPECT_STREQ(error.what(), "interrupted while trying ways to train");
  }
}

TEST(TryWays, NeedsAnItemAFold) {
  const LabelledItems items = simulated(Family::gaussian, Combination::sum, 4, 10);
  try {
    try_ways(items, {TrainOptions{}}, 5, {});
    FAIL();
  } catch (const Error& error) {
    EXPECT_STREQ(error.what(), "folds = 5 is more than the 4 items; use fewer folds");
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

TEST(Calibration, RecoversThePlantedLine) {
  HeldOut seen;
  Rng rng{Seed{12}};
  constexpr double intercept = -0.5;
  constexpr double slope = 0.6;
  for (int n = 0; n < 20000; ++n) {
    const double logit = 2.0 * rng.normal();
    seen.posterior.push_back(1.0 / (1.0 + std::exp(-logit)));
    seen.right.push_back(rng.uniform() < 1.0 / (1.0 + std::exp(-intercept - slope * logit)) ? 1 : 0);
    seen.log_evidence.push_back(rng.normal());
  }
  const Calibration calibration = calibrate(seen);
  // Standard errors of a logistic line with so many items are about 0.018 and 0.011; four of them.
  EXPECT_NEAR(calibration.intercept, intercept, 0.07);
  EXPECT_NEAR(calibration.slope, slope, 0.045);
  EXPECT_EQ(calibration.items, 20000U);
  for (const auto& [level, value] : calibration.density) {
    const double error = std::sqrt(level * (1.0 - level) / 20000.0) * std::sqrt(2.0 * 3.1416) *
                         std::exp(0.5 * std::pow(normal_quantile(level), 2));
    EXPECT_NEAR(value, normal_quantile(level), 5.0 * error) << level;
  }
}

TEST(Calibration, FewItemsChangeLittle) {
  const Calibration calibration = calibrate({{0.9}, {0}, {0.0}});
  EXPECT_GT(calibrated(calibration, 0.9), 0.4);
  EXPECT_LT(calibrated(calibration, 0.9), 0.9);
  EXPECT_EQ(calibrated(Calibration{}, 0.3), 0.3);
  EXPECT_LT(calibrated(calibration, 0.0), calibrated(calibration, 1.0));
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
