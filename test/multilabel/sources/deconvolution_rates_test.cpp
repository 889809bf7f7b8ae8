#include "motet/multilabel/sources/deconvolution_rates.h"

#include <gtest/gtest.h>

#include <cmath>

#include "multilabel/set_cases.h"
#include "multilabel/training_cases.h"

namespace motet::multilabel::deconvolution_rates_test {
namespace {

constexpr double close = 1e-7;  // of steps that end at 1e-13, slowed by what is hidden

TrainOptions exactly(Family family, Combination combine) {
  TrainOptions options = trained_as(family, combine);
  options.shrinkage = 0.0;
  options.tolerance = 1e-13;
  options.max_iterations = 100'000;
  return options;
}

// Items of the first label alone, and of both: one feature, means of each set.
Sources two_sources(Family family, Combination combine, double alone, double both, const TrainOptions& options) {
  SetStatistics statistics;
  statistics.sets = sets_of({"10", "11"});
  statistics.dimensions = 1;
  statistics.count = {40.0, 60.0};
  statistics.mean = {alone, both};
  const SetDesign design = design_of(statistics.sets, statistics.count, combine, false);
  Sources found = fit_rates(statistics, design, options, {}).sources;
  EXPECT_EQ(found.location.size(), 2U) << family_word(family);
  return found;
}

// As many sources as sets: the sources give each set its own mean.
TEST(DeconvolutionRates, AsManySourcesAsSetsFitEverySet) {
  const auto found = [](Family family, Combination combine, double alone, double both) {
    return two_sources(family, combine, alone, both, exactly(family, combine)).location;
  };
  const std::vector<double> counts = found(Family::poisson, Combination::sum, 1.5, 4.0);
  EXPECT_NEAR(counts[0], 1.5, close);
  EXPECT_NEAR(counts[1], 2.5, close);
  const std::vector<double> rates = found(Family::exponential, Combination::minimum, 0.5, 0.2);  // rates 2 and 5
  EXPECT_NEAR(rates[0], 2.0, close);
  EXPECT_NEAR(rates[1], 3.0, close);
  const std::vector<double> or_shares = found(Family::bernoulli, Combination::logical_or, 0.2, 0.6);
  EXPECT_NEAR(or_shares[0], 0.2, close);
  EXPECT_NEAR(or_shares[1], 0.5, close);  // 1 - 0.8 * 0.5
  const std::vector<double> and_shares = found(Family::bernoulli, Combination::logical_and, 0.8, 0.2);
  EXPECT_NEAR(and_shares[0], 0.8, close);
  EXPECT_NEAR(and_shares[1], 0.25, close);
}

// A second source that would have to take away what the first gives is nothing, and the first is what both sets say.
TEST(DeconvolutionRates, ASourceThatWouldHaveToTakeAwayIsNought) {
  const Sources counts =
      two_sources(Family::poisson, Combination::sum, 3.0, 2.0, exactly(Family::poisson, Combination::sum));
  EXPECT_NEAR(counts.location[0], (40.0 * 3.0 + 60.0 * 2.0) / 100.0, 1e-3);  // it creeps to the edge
  EXPECT_NEAR(counts.location[1], 0.0, 1e-3);
}

TEST(DeconvolutionRates, OfSingleLabelsIsTheMeanOfTheirItems) {
  const std::vector<std::pair<Family, Combination>> pairs = {{Family::poisson, Combination::sum},
                                                             {Family::exponential, Combination::minimum},
                                                             {Family::bernoulli, Combination::logical_or},
                                                             {Family::bernoulli, Combination::logical_and}};
  for (const auto& [family, combine] : pairs) {
    const TrainOptions options = exactly(family, combine);
    const KnownItems drawn = single_label_items(options, 3, 2, 240, 12);
    const SetStatistics s = gather(drawn.index, drawn.x, 2, family, false, {1});
    const std::vector<double> found = fit_of(drawn, options).sources.location;
    for (std::size_t i = 0; i < 6; ++i) {
      EXPECT_NEAR(found[i], family == Family::exponential ? 1.0 / s.mean[i] : s.mean[i], close) << family_word(family);
    }
  }
}

// Lacking a feature where some source lacks it is having it where some source has it, with noughts and ones exchanged.
TEST(DeconvolutionRates, AndIsOrOfTheOpposite) {
  const TrainOptions conjunction = exactly(Family::bernoulli, Combination::logical_and);
  const KnownItems drawn = drawn_items(conjunction, 3, 2, 300, 13);
  KnownItems opposite = drawn;
  for (double& x : opposite.x) x = 1.0 - x;
  const std::vector<double> all = fit_of(drawn, conjunction).sources.location;
  const std::vector<double> any =
      fit_of(opposite, exactly(Family::bernoulli, Combination::logical_or)).sources.location;
  for (std::size_t i = 0; i < 6; ++i) EXPECT_NEAR(all[i], 1.0 - any[i], 1e-10);
}

// The prior alone: every source has the value that all would share.
TEST(DeconvolutionRates, WholeShrinkageMakesSourcesAlike) {
  TrainOptions options = exactly(Family::poisson, Combination::sum);
  options.shrinkage = 1.0;
  const Sources alike = two_sources(Family::poisson, Combination::sum, 1.5, 4.0, options);
  // 40 items of one source and 60 of two, 300 counts in all.
  for (const double location : alike.location) EXPECT_NEAR(location, 300.0 / 160.0, 1e-12);
}

// Poisson sources with a prior of nu items of the shared value: as if those items were there.
TEST(DeconvolutionRates, ThePriorIsWorthItsItems) {
  TrainOptions options = exactly(Family::poisson, Combination::sum);
  options.prior_strength = 20.0;
  SetStatistics statistics;
  statistics.sets = sets_of({"10", "01"});
  statistics.dimensions = 1;
  statistics.count = {40.0, 60.0};
  statistics.mean = {1.0, 3.0};
  const SetDesign design = design_of(statistics.sets, statistics.count, Combination::sum, false);
  const std::vector<double> found = fit_rates(statistics, design, options, {}).sources.location;
  const double shared = (40.0 * 1.0 + 60.0 * 3.0) / 100.0;
  EXPECT_NEAR(found[0], (40.0 * 1.0 + 20.0 * shared) / 60.0, close);
  EXPECT_NEAR(found[1], (60.0 * 3.0 + 20.0 * shared) / 80.0, close);
}

}  // namespace
}  // namespace motet::multilabel::deconvolution_rates_test
