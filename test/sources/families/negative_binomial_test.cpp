// Reference numbers are sums over counts of
//   log P(x) = lgamma(x + r) - lgamma(r) - lgamma(x + 1) + r log1p(-p) + x log(p),
// computed with the standard library of another language: densities directly, posteriors of emissions from the
// convolution of two sources, information from the products of the scores, and the optimum by a pattern search.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "motet/base/error.h"
#include "motet/io/record_file.h"
#include "motet/multilabel/search/search.h"
#include "motet/multilabel/simulate.h"
#include "motet/multilabel/sources/fit_sources.h"
#include "motet/multilabel/theory/precision.h"
#include "motet/multilabel/theory/precision_spread.h"
#include "motet/multilabel/train.h"
#include "motet/sources/density/set_density.h"
#include "motet/sources/emission.h"
#include "motet/sources/family.h"
#include "motet/sources/sample.h"
#include "multilabel/set_cases.h"
#include "support/errors.h"
#include "support/threads.h"

namespace motet::negative_binomial_test {
namespace {

using multilabel::log_densities;
using multilabel::SimulatedItems;
using multilabel::SourceFit;
using multilabel::TrainOptions;

constexpr double rounding = 1e-12;

Family negative_binomial() { return family_named("negative-binomial"); }

Sources two_sources() {
  Sources sources;
  sources.family = negative_binomial();
  sources.dimensions = 2;
  sources.count = 2;
  sources.location = {0.7, 1.3, 2.5, 0.2};
  sources.spread = {0.4, 0.75};
  return sources;
}

const BitMatrix first_second_both = multilabel::sets_of({"10", "01", "11"});

SimulatedItems simulated(std::size_t items, Combination combine = Combination::sum) {
  multilabel::SimulateItemsOptions options;
  options.source = negative_binomial();
  options.combine = combine;
  options.items = items;
  options.labels = 3;
  options.features = 3;
  return multilabel::simulate_items(options, Seed{11});
}

TrainOptions options_of(Combination combine = Combination::sum) {
  TrainOptions options;
  options.source = negative_binomial();
  options.combine = combine;
  return options;
}

SourceFit fit(const LabelledItems& items, const TrainOptions& options, Threads threads = {1}) {
  RunContext run;
  run.threads = threads;
  return multilabel::fit_sources(index_label_sets(items.sets), items.features.values, items.features.dimensions(),
                                 options, run);
}

TEST(NegativeBinomial, DensitiesOfSetsAreThoseOfTheFormula) {
  const std::vector<double> x{0, 3, 4, 0, 60, 11};
  const double expected[] = {-2.525370436800421, -4.8477876134982285, -3.794370415836716,
                             -6.527439464152716, -3.0196605000993,    -4.48585704284214,
                             -60.94777559861406, -57.258244765794146, -52.323249824394885};
  const std::vector<double> found = log_densities(two_sources(), first_second_both, x, {1});
  ASSERT_EQ(found.size(), std::size(expected));
  for (std::size_t i = 0; i < found.size(); ++i) EXPECT_NEAR(found[i], expected[i], 50.0 * rounding) << i;
  const std::vector<double> impossible =
      log_densities(two_sources(), first_second_both, std::vector<double>{1.5, 0.0, -1.0, 0.0}, {1});
  for (const double value : impossible) EXPECT_EQ(value, -INFINITY);
}

TEST(NegativeBinomial, ASourceWithoutShapeEmitsOnlyZeros) {
  Sources sources = two_sources();
  sources.location = {0.0, 0.0, 2.5, 0.2};
  const std::vector<double> found = log_densities(sources, first_second_both, std::vector<double>{0, 0, 1, 0}, {1});
  EXPECT_EQ(found[0], 0.0);
  EXPECT_EQ(found[3], -INFINITY);
  EXPECT_TRUE(std::isfinite(found[5]));
}

TEST(NegativeBinomial, ASetSharesItsCountOutAsTheConvolutionSays) {
  Sources sources = two_sources();
  sources.dimensions = 1;
  sources.location = {0.7, 2.5};
  sources.spread = {0.4};
  const std::vector<Emission> found = emissions(sources, first_second_both.row(2), std::vector<double>{5.0});
  EXPECT_NEAR(found[0].mean[0], 1.09375, rounding);
  EXPECT_NEAR(found[0].sd[0], 1.2916246632955468, rounding);
  EXPECT_NEAR(found[1].mean[0], 5.0 - 1.09375, rounding);
}

TEST(NegativeBinomial, MomentsAndInformationAreThoseOfTheScores) {
  const FamilyTheory& theory = family_of(negative_binomial()).theory;
  const SetResponse response = theory.response(1.7, 0.6);
  EXPECT_NEAR(response.mean, 2.55, 10.0 * rounding);
  EXPECT_NEAR(response.variance, 6.375, 10.0 * rounding);
  EXPECT_NEAR(response.kurtosis, 3.6862745098039333, 100.0 * rounding);
  const SharedInformation found = theory.information(1.0, 2.55, 0.6);
  EXPECT_NEAR(found.total, 0.40441487104809726, rounding);
  EXPECT_NEAR(found.cross, 2.5, rounding);
  EXPECT_NEAR(found.shared, 17.708333333333332, 10.0 * rounding);
}

TEST(NegativeBinomial, FindsTheMaximumOfTheLikelihood) {
  const std::vector<double> x{0, 3, 1, 7, 2, 0, 4, 9, 2, 15, 5, 12, 3, 8};
  BitMatrix sets(x.size(), 2);
  for (std::size_t n = 0; n < x.size(); ++n) {
    if (n < 6 || n >= 10) sets.set(n, 0);
    if (n >= 6) sets.set(n, 1);
  }
  TrainOptions options = options_of();
  options.shrinkage = 0.0;
  options.tolerance = 1e-13;
  options.max_iterations = 100000;
  const SourceFit found = multilabel::fit_sources(index_label_sets(sets), x, 1, options, {});
  constexpr double searched = 1e-5;  // the likelihood is flat to 1e-13 within this of its top
  EXPECT_NEAR(found.sources.location[0], 1.0471296496992384, searched);
  EXPECT_NEAR(found.sources.location[1], 3.427338793483937, searched);
  EXPECT_NEAR(found.sources.spread[0], 0.652034117353567, searched);
  EXPECT_NEAR(found.summary.objective.back(), -34.42719235789753, 1e-9);
}

TEST(NegativeBinomial, NeverLetsTheObjectiveFall) {
  for (const Combination combine : {Combination::sum, Combination::one_of}) {
    const SimulatedItems made = simulated(300, combine);
    for (const double strength : {0.0, 3.0}) {
      TrainOptions options = options_of(combine);
      options.prior_strength = strength;
      const SourceFit found = fit(made.items, options);
      EXPECT_NE(found.summary.stop, Stop::objective_fell);
      const std::vector<double>& trace = found.summary.objective;
      ASSERT_GT(trace.size(), 3U);
      for (std::size_t i = 1; i < trace.size(); ++i) {
        EXPECT_GE(trace[i], trace[i - 1] - rounding * std::abs(trace[i])) << "step " << i;
      }
    }
  }
}

TEST(NegativeBinomial, GivesTheSameBitsOnAnyNumberOfThreads) {
  const SimulatedItems made = simulated(2000);
  TrainOptions options = options_of();
  options.max_iterations = 20;
  const SourceFit one = fit(made.items, options);
  for (const unsigned count : {2U, 4U}) {
    StartedThreads threads(count);
    EXPECT_EQ(fit(made.items, options, threads).sources, one.sources);
  }
}

TEST(NegativeBinomial, DoesNotDependOnTheOrderOfItemsAndLabels) {
  const SimulatedItems made = simulated(200);
  LabelledItems other = made.items;
  const std::size_t rows = other.rows();
  other.sets = BitMatrix(rows, 3);
  for (std::size_t n = 0; n < rows; ++n) {
    for (std::size_t d = 0; d < 3; ++d) {
      other.features.values[n * 3 + d] = made.items.features.values[(rows - 1 - n) * 3 + d];
      other.sets.set(n, d, made.items.sets(rows - 1 - n, (d + 1) % 3));
    }
  }
  TrainOptions options = options_of();
  options.tolerance = 1e-12;
  const Sources one = fit(made.items, options).sources;
  const Sources two = fit(other, options).sources;
  constexpr double stopped = 1e-6;  // where the fit stops, by steps of 1e-12
  for (std::size_t k = 0; k < 3; ++k) {
    for (std::size_t d = 0; d < 3; ++d) {
      EXPECT_NEAR(two.location_of(k)[d], one.location_of((k + 1) % 3)[d], stopped);
    }
  }
}

// Four standard errors of the theory: with 12 parameters one case in a thousand would be farther away by chance.
TEST(NegativeBinomial, RecoversWhatWasPlanted) {
  const SimulatedItems made = simulated(4000);
  TrainOptions options = options_of();
  options.shrinkage = 0.0;
  const Sources found = fit(made.items, options).sources;
  const LabelSetIndex index = index_label_sets(made.items.sets);
  std::vector<double> count;
  for (std::size_t l = 0; l < index.size(); ++l) count.push_back(static_cast<double>(index.count(l)));
  const multilabel::Precision locations = multilabel::location_precision(made.truth, index.sets, count, {1});
  const multilabel::Precision shared = multilabel::spread_precision(made.truth, index.sets, count);
  for (std::size_t i = 0; i < 9; ++i) {
    EXPECT_GT(locations.error[i], 0.0);
    EXPECT_LT(locations.error[i], 0.3);
    EXPECT_NEAR(found.location[i], made.truth.location[i], 4.0 * locations.error[i]) << i;
  }
  for (std::size_t d = 0; d < 3; ++d) {
    EXPECT_LT(shared.error[d], 0.05);
    EXPECT_NEAR(found.spread[d], made.truth.spread[d], 4.0 * shared.error[d]) << d;
  }
}

TEST(NegativeBinomial, DrawsHaveTheirMeanAndVariance) {
  constexpr std::size_t draws = 200000;
  Sources sources = two_sources();
  Rng rng(Seed{5});
  double sum = 0.0;
  double square = 0.0;
  for (std::size_t n = 0; n < draws; ++n) {
    const double x = sample_item(sources, first_second_both.row(2), rng)[0];
    sum += x;
    square += x * x;
  }
  const MeanVariance expected = family_of(sources.family).density.moments(3.2, 0.4);
  const double mean = sum / draws;
  // Five standard errors: of the mean, and of the variance with a kurtosis of 5.
  EXPECT_NEAR(mean, expected.mean, 5.0 * std::sqrt(expected.variance / draws));
  EXPECT_NEAR(square / draws - mean * mean, expected.variance, 5.0 * expected.variance * std::sqrt(4.0 / draws));
}

// Counts without more spread than Poisson: the fit ends where it is as good as Poisson, and says so by p.
TEST(NegativeBinomial, CountsWithoutMoreSpreadEndNextToPoisson) {
  multilabel::SimulateItemsOptions made{.items = 400, .labels = 2, .features = 1, .source = Family::poisson};
  const LabelledItems items = multilabel::simulate_items(made, Seed{3}).items;
  TrainOptions options = options_of();
  options.shrinkage = 0.0;
  const SourceFit found = fit(items, options);
  options.source = Family::poisson;
  const SourceFit poisson = fit(items, options);
  EXPECT_GT(found.summary.objective.back(), poisson.summary.objective.back() - 0.5);
  for (std::size_t k = 0; k < 2; ++k) {
    const double mean =
        family_of(negative_binomial()).density.moments(found.sources.location[k], found.sources.spread[0]).mean;
    EXPECT_NEAR(mean, poisson.sources.location[k], 0.05);
  }
}

TEST(NegativeBinomial, ExactSearchFindsTheMostLikelyOfAllSets) {
  const SimulatedItems made = simulated(60);
  const multilabel::MultilabelModel model = multilabel::train_multilabel(made.items, options_of(), false, {}).model;
  multilabel::SearchOptions options{.use_prior = false};
  const multilabel::SetSearch search(model, options);
  BitMatrix all(7, 3);
  for (std::size_t s = 0; s < 7; ++s) {
    for (std::size_t k = 0; k < 3; ++k) all.set(s, k, ((s + 1) >> k & 1U) != 0);
  }
  const std::vector<double> densities = log_densities(model.sources, all, made.items.features.values, {1});
  for (std::size_t n = 0; n < made.items.rows(); ++n) {
    const double best = *std::max_element(densities.begin() + static_cast<std::ptrdiff_t>(n * 7),
                                          densities.begin() + static_cast<std::ptrdiff_t>(n * 7 + 7));
    const multilabel::FoundSets found = search.find(made.items.features.row(n), {}, nullptr);
    ASSERT_EQ(found.score.size(), 1U);
    EXPECT_EQ(found.gap, 0.0);
    EXPECT_NEAR(found.score[0], best, 1e-9);
  }
}

TEST(NegativeBinomial, AModelFileSurvivesARoundTrip) {
  const multilabel::MultilabelModel model =
      multilabel::train_multilabel(simulated(200).items, options_of(), false, {}).model;
  const Record record = to_record(model);
  EXPECT_EQ(to_record(multilabel::multilabel_from_record(record)), record);
  EXPECT_EQ(multilabel::multilabel_from_record(record).sources, model.sources);
}

TEST(NegativeBinomial, AModelFileOfTheFirstVersionSaysTheSame) {
  const Record old = read_record(std::string(MOTET_TEST_DIR) + "/golden/multilabel/negative_binomial_v1.json");
  const multilabel::MultilabelModel model = multilabel::multilabel_from_record(old);
  EXPECT_EQ(to_record(model), old);
  EXPECT_EQ(model.sources.spread[0], 0.4122659422388694);
  const std::vector<double> found = log_densities(model.sources, first_second_both, std::vector<double>{2.0, 0.0}, {1});
  EXPECT_NEAR(found[2], -2.996483446224441, 10.0 * rounding);
}

std::string refusal_of(const Value& value) {
  return error_of([&] { sources_from(value); }, ErrorKind::bad_data);
}

TEST(NegativeBinomial, SaysWhatIsWrong) {
  Sources sources = two_sources();
  sources.spread[1] = 1.0;
  EXPECT_EQ(refusal_of(to_value(sources)), "field 'spread' has 1; a probability above 0 and below 1 is allowed");
  sources = two_sources();
  sources.location[0] = -1.0;
  EXPECT_EQ(refusal_of(to_value(sources)), "field 'location' has -1; a shape from 0 on is allowed");
  sources = two_sources();
  sources.combination = Combination::minimum;
  EXPECT_EQ(refusal_of(to_value(sources)),
            "--combine min has no meaning for negative-binomial sources; they have sum, one-of, mean");
  LabelledItems items = simulated(50).items;
  items.features.values[4] = 1.5;
  EXPECT_EQ(error_of([&] { multilabel::train_multilabel(items, options_of(), false, {}); }, ErrorKind::bad_data),
            "item '2': x2 = 1.5 cannot come from --source negative-binomial; whole numbers from 0 "
            "on are allowed");
}

}  // namespace
}  // namespace motet::negative_binomial_test
