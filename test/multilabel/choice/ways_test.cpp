#include "motet/multilabel/choice/ways.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "multilabel/choice_cases.h"
#include "support/expect_error.h"

namespace motet::multilabel::ways_test {
namespace {

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

TEST(WaysToTrain, HaveAPriorOfOneItemUnlessMoreIsAskedFor) {
  const LabelledItems items = simulated(Family::gaussian, Combination::sum, 100, 5);
  TrainOptions options;
  options.method = Training::automatic;
  for (const TrainOptions& way : ways_to_train(items, options)) EXPECT_EQ(way.prior_strength, 1.0);
  options.prior_strength = 0.25;
  for (const TrainOptions& way : ways_to_train(items, options)) EXPECT_EQ(way.prior_strength, 0.25);
}

TEST(WaysToTrain, ThatAreRuledOutAreNamed) {
  const LabelledItems items = simulated(Family::gaussian, Combination::sum, 100, 5);
  TrainOptions options;
  options.method = Training::automatic;
  options.covariance = Covariance::spherical;  // which no way has
  options.given.covariance = true;
  options.noise = true;
  options.given.noise = true;
  expect_error(ErrorKind::usage,
               "--method auto tries no way with --covariance spherical, --noise; leave that out, or name a method",
               [&] { ways_to_train(items, options); });
}

TEST(WaysToTrain, NeedItemsEnough) {
  TrainOptions options;
  options.method = Training::automatic;
  options.given.source = true;
  const LabelledItems items = simulated(Family::gaussian, Combination::sum, 5, 5);
  expect_error(ErrorKind::unanswerable, "5 items are too few for --method auto; name a method",
               [&] { ways_to_train(items, options); });
}

TEST(WaysToTrain, AreWithoutSourcesTooUnlessSourcesAreAskedFor) {
  TrainOptions options;
  options.method = Training::automatic;
  const LabelledItems few = simulated(Family::gaussian, Combination::sum, 5, 5);
  const auto of_few = ways_to_train(few, options);
  ASSERT_FALSE(of_few.empty());
  const auto is_linear = [](const TrainOptions& way) { return !has_sources(way.method); };
  const auto raw = [&](const TrainOptions& way) { return is_linear(way) && !way.standardize && way.kernel == 0; };
  EXPECT_TRUE(std::any_of(of_few.begin(), of_few.end(), is_linear));
  EXPECT_FALSE(std::any_of(of_few.begin(), of_few.end(), raw));
  LabelledItems sparse = few;
  for (std::size_t i = 0; i < sparse.features.values.size(); ++i) {
    if (i % 3 != 0) sparse.features.values[i] = 0.0;
  }
  const auto of_sparse = ways_to_train(sparse, options);
  EXPECT_TRUE(std::any_of(of_sparse.begin(), of_sparse.end(), raw));
  options.given.penalty = true;
  options.penalty = 0.3;
  for (const TrainOptions& way : ways_to_train(sparse, options)) EXPECT_EQ(way.penalty, 0.3);
  const LabelledItems items = simulated(Family::gaussian, Combination::sum, 100, 5);
  options.given.source = true;
  for (const TrainOptions& way : ways_to_train(items, options)) EXPECT_FALSE(is_linear(way));
}

TEST(NameOfWay, SaysHowItDiffersFromTheRest) {
  TrainOptions way;
  EXPECT_EQ(name_of_way(way), "deconvolution sum diagonal");
  way.covariance = Covariance::point;
  way.background = true;
  way.noise = true;
  way.kernel = 2000;
  way.kernel_width = 0.7;
  way.pca = 250;
  EXPECT_EQ(name_of_way(way), "deconvolution sum point background noise kernel 0.7 pca 250");
  way = {};
  way.method = Training::fresh;
  way.background = true;  // which it cannot have
  EXPECT_EQ(name_of_way(way), "new diagonal");
  way = {};
  way.source = Family::bernoulli;
  way.combine = Combination::logical_or;
  EXPECT_EQ(name_of_way(way), "deconvolution bernoulli or");
  way.source = Family::lognormal;
  way.combine = Combination::product;
  EXPECT_EQ(name_of_way(way), "deconvolution lognormal product diagonal");
  way.method = Training::log_linear;
  way.penalty = 0.02;
  way.standardize = true;
  EXPECT_EQ(name_of_way(way), "log-linear penalty 0.02 standardized");
}

}  // namespace
}  // namespace motet::multilabel::ways_test
