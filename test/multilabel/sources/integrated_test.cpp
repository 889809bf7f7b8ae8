// Deconvolution of pairs whose densities have no closed form: integrated.cpp, integrated_feature.h, value_nodes.h.
#include <gtest/gtest.h>

#include <cmath>

#include "motet/base/error.h"
#include "motet/multilabel/sources/integrated_feature.h"
#include "motet/sources/density/set_density.h"
#include "multilabel/training_cases.h"
#include "support/threads.h"

namespace motet::multilabel::integrated_test {
namespace {

std::string name_of(const TrainOptions& options) {
  return family_word(options.source) + " " + combination_words[static_cast<int>(options.combine)];
}

double root_mean_square(const std::vector<double>& a, const std::vector<double>& b) {
  double sum = 0.0;
  for (std::size_t i = 0; i < a.size(); ++i) sum += (a[i] - b[i]) * (a[i] - b[i]);
  return std::sqrt(sum / static_cast<double>(a.size()));
}

TEST(IntegratedSlow, RaisesTheLikelihoodAndFindsWhatWasPlanted) {
  const std::vector<TrainOptions> pairs = {
      trained_as(Family::lognormal, Combination::sum),    trained_as(Family::exponential, Combination::sum),
      trained_as(Family::gaussian, Combination::product), trained_as(Family::gamma, Combination::product),
      trained_as(Family::gaussian, Combination::minimum), trained_as(Family::bernoulli, Combination::sum),
      trained_as(Family::poisson, Combination::minimum),  trained_as(Family::gamma, Combination::mean)};
  for (const TrainOptions& options : pairs) {
    const DrawnItems drawn = drawn_items(options, 3, 1, 200, 16);
    const SourceFit fit = fit_sources(drawn.index, drawn.x, 1, options, {});
    const std::vector<double>& trace = fit.summary.objective;
    for (std::size_t i = 1; i < trace.size(); ++i) EXPECT_GE(trace[i], trace[i - 1]);
    const auto likelihood = [&](const Sources& sources) {
      return log_likelihood(sources, drawn.index.sets, drawn.index.of_row, drawn.x, Threads{1});
    };
    // What was planted is less likely, but for the prior that is worth one item.
    EXPECT_GT(likelihood(fit.sources), likelihood(drawn.sources) - 0.5) << name_of(options);
  }
}

// A hundred times the items, a tenth of the error: with any fixed error of the densities it would stay where it is.
TEST(IntegratedSlow, ComesNearerToTheTruthWithMoreItems) {
  const std::vector<TrainOptions> pairs = {trained_as(Family::exponential, Combination::sum),
                                           trained_as(Family::lognormal, Combination::sum),
                                           trained_as(Family::gamma, Combination::product)};
  for (const TrainOptions& options : pairs) {
    double few = 0.0;
    double many = 0.0;
    for (const std::uint64_t seed : {1, 2, 3}) {
      for (const std::size_t rows : {400, 40'000}) {
        const DrawnItems drawn = drawn_items(options, 2, 1, rows, seed);
        const SourceFit fit = fit_sources(drawn.index, drawn.x, 1, options, {});
        (rows == 400 ? few : many) += root_mean_square(fit.sources.location, drawn.sources.location) / 3.0;
      }
    }
    EXPECT_LT(many, few / 4.0) << name_of(options);
    EXPECT_LT(many, 0.03) << name_of(options);
  }
}

TEST(Integrated, GivesTheSameBitsOnAnyNumberOfThreads) {
  const TrainOptions options = trained_as(Family::lognormal, Combination::sum);
  const DrawnItems drawn = drawn_items(options, 3, 2, 300, 18);
  RunContext run;
  run.threads.count = 1;
  const Sources one = fit_sources(drawn.index, drawn.x, 2, options, run).sources;
  StartedThreads started(3);
  run.threads = started;
  EXPECT_TRUE(fit_sources(drawn.index, drawn.x, 2, options, run).sources == one);
}

TEST(Integrated, TellsWhatItCannotFit) {
  const TrainOptions options = trained_as(Family::lognormal, Combination::sum, Covariance::full);
  const DrawnItems drawn = drawn_items(trained_as(Family::lognormal, Combination::sum), 2, 1, 50, 17);
  try {
    fit_sources(drawn.index, drawn.x, 1, options, {});
    FAIL();
  } catch (const Error& error) {
    EXPECT_STREQ(error.what(), "covariance = full: source = lognormal with combine = sum has only diagonal");
  }
}

struct OneFeature {
  explicit OneFeature(const TrainOptions& how, std::size_t rows)
      : options(how),
        drawn(drawn_items(how, 3, 1, rows, 19)),
        design(design_of(drawn.index.sets, counts(), how.combine, false)),
        feature(drawn.index, drawn.x, drawn.sources, design, options, 0) {}

  std::vector<double> counts() const {
    std::vector<double> count;
    for (std::size_t l = 0; l < drawn.index.size(); ++l) count.push_back(static_cast<double>(drawn.index.count(l)));
    return count;
  }

  TrainOptions options;
  DrawnItems drawn;
  SetDesign design;
  IntegratedFeature feature;
};

TEST(IntegratedFeature, ItsGradientIsThatOfItsObjective) {
  for (const TrainOptions& options :
       {trained_as(Family::exponential, Combination::sum), trained_as(Family::lognormal, Combination::mean),
        trained_as(Family::gamma, Combination::product)}) {
    OneFeature one(options, 60);
    std::vector<double> point = one.feature.point();
    for (std::size_t i = 0; i < point.size(); ++i) point[i] += 0.1 * static_cast<double>(i % 3);  // off the prior
    const std::vector<double> slopes = one.feature.gradient(point, {1});
    for (std::size_t i = 0; i < point.size(); ++i) {
      std::vector<double> moved = point;
      const auto at = [&](double step) {
        moved[i] = point[i] + step;
        return one.feature.objective(moved, {1});
      };
      // Richardson's extrapolation of two differences, none of them the one of the gradient.
      const double wide = (at(2e-3) - at(-2e-3)) / 4e-3;
      const double narrow = (at(1e-3) - at(-1e-3)) / 2e-3;
      EXPECT_NEAR(slopes[i], (4.0 * narrow - wide) / 3.0, 1e-5 * (1.0 + std::abs(slopes[i]))) << name_of(options);
    }
  }
}

TEST(IntegratedFeature, ItsNodesStandForItsItems) {
  OneFeature one(trained_as(Family::lognormal, Combination::sum), 3000);
  const double whole = one.feature.objective(one.feature.point(), {1});
  EXPECT_TRUE(one.feature.condense({1}));
  EXPECT_NE(one.feature.objective(one.feature.point(), {1}), whole);  // by rounding at least
  EXPECT_NEAR(one.feature.objective(one.feature.point(), {1}), whole, 1e-3);
  EXPECT_EQ(one.feature.objective(one.feature.point(), {1}, true), whole);
  EXPECT_FALSE(one.feature.condense({1}));
}

TEST(ValueNodes, GiveTheSameSumOfASmoothFunction) {
  Rng rng(Seed{3});
  std::vector<double> values(20, 0.0);
  for (int n = 0; n < 20'000; ++n) values.push_back((n % 3 == 0 ? -1.0 : 1.0) * std::exp(0.8 * rng.normal()));
  const std::vector<WeightedValue> all = counted(values);
  const std::vector<WeightedValue> few = condensed(all, 0.5);
  EXPECT_LT(few.size(), 1000U);
  const auto sum = [](const std::vector<WeightedValue>& nodes, auto&& function) {
    double total = 0.0;
    for (const WeightedValue& node : nodes) total += node.weight * function(node.value);
    return total;
  };
  const auto one = [](double) { return 1.0; };
  const auto smooth = [](double x) { return -0.5 * std::abs(x) + 0.3 * std::log1p(x * x); };
  EXPECT_NEAR(sum(few, one), 20'020.0, 1e-7);
  EXPECT_NEAR(sum(few, smooth), sum(all, smooth), 1e-7);
}

TEST(ValueNodes, FewValuesAreLeftAlone) {
  const std::vector<WeightedValue> all = counted({2.0, 1.0, 2.0, 5.0});
  ASSERT_EQ(all.size(), 3U);
  EXPECT_EQ(all[1].weight, 2.0);
  const std::vector<WeightedValue> same = condensed(all, 0.5);
  ASSERT_EQ(same.size(), 3U);
  EXPECT_EQ(same[2].value, 5.0);
}

}  // namespace
}  // namespace motet::multilabel::integrated_test
