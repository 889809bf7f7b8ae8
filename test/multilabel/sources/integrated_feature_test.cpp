#include "motet/multilabel/sources/integrated_feature.h"

#include <gtest/gtest.h>

#include <cmath>

#include "multilabel/training_cases.h"

namespace motet::multilabel::integrated_feature_test {
namespace {

std::string name_of(const TrainOptions& options) {
  return family_word(options.source) + " " + combination_words[static_cast<int>(options.combine)];
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
  KnownItems drawn;
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

TEST(IntegratedFeature, WritesTheSourcesOfItsPoint) {
  for (const TrainOptions& options :
       {trained_as(Family::exponential, Combination::sum), trained_as(Family::lognormal, Combination::mean),
        trained_as(Family::gamma, Combination::product), trained_as(Family::bernoulli, Combination::sum),
        trained_as(Family::gaussian, Combination::product)}) {
    const OneFeature one(options, 60);
    Sources written = one.drawn.sources;
    for (std::vector<double>* values : {&written.location, &written.spread}) values->assign(values->size(), 0.0);
    one.feature.write(written);
    for (std::size_t i = 0; i < written.location.size(); ++i) {
      EXPECT_NEAR(written.location[i], one.drawn.sources.location[i], 1e-12) << name_of(options);
    }
    for (std::size_t i = 0; i < written.spread.size(); ++i) {
      EXPECT_NEAR(written.spread[i], one.drawn.sources.spread[i], 1e-12) << name_of(options);
    }
  }
}

TEST(IntegratedFeature, ThePriorIsWorthItsItemsAboutTheStart) {
  TrainOptions options = trained_as(Family::exponential, Combination::sum);
  options.prior_strength = 3.0;
  OneFeature with(options, 60);
  options.prior_strength = 0.0;
  options.shrinkage = 0.0;
  OneFeature without(options, 60);
  std::vector<double> point = with.feature.point();
  EXPECT_EQ(with.feature.objective(point, {1}), without.feature.objective(point, {1}));  // nothing at the start
  point[0] += 0.5;
  // Logarithms of rates, with strength 1 + 3: four times half of the square of the step.
  EXPECT_NEAR(without.feature.objective(point, {1}) - with.feature.objective(point, {1}), 0.5 * 4.0 * 0.25, 1e-9);
}

TEST(IntegratedFeature, DoesNotGoWithoutLimit) {
  OneFeature one(trained_as(Family::exponential, Combination::sum), 60);
  std::vector<double> point = one.feature.point();
  point[0] += 31.0;
  EXPECT_EQ(one.feature.objective(point, {1}), -std::numeric_limits<double>::infinity());
  EXPECT_LT(one.feature.density_error({1}), 1e-6);
}

}  // namespace
}  // namespace motet::multilabel::integrated_feature_test
