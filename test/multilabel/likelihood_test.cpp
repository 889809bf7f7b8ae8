// The log-likelihood that training reports, against densities computed in the plainest way.
#include <gtest/gtest.h>

#include <cmath>

#include "motet/multilabel/simulate.h"
#include "motet/multilabel/train.h"
#include "multilabel/model_cases.h"

namespace motet::multilabel::likelihood_test {
namespace {

constexpr double rounding = 1e-9;  // relative, of two sums over 300 items

LabelledItems simulated(const TrainOptions& options) {
  SimulateItemsOptions simulate;
  simulate.items = 300;
  simulate.labels = 3;
  simulate.features = 2;
  simulate.source = options.source;
  simulate.combine = options.combine;
  simulate.background = options.background;
  return simulate_items(simulate, Seed{5}).items;
}

// Each item under its own set; `new` has a source per set, in the order of prior.sets.
double plain_log_likelihood(const MultilabelModel& model, const LabelledItems& items) {
  const std::vector<double> x = prepare(model.preparation, items.features, {});
  const std::size_t dimensions = model.sources.dimensions;
  double sum = 0.0;
  for (std::size_t n = 0; n < items.rows(); ++n) {
    const std::span<const double> row{x.data() + n * dimensions, dimensions};
    if (!model.per_set()) {
      if (items.sets.count(n) > 0 || model.sources.background) {
        sum += plain_log_density(model.sources, items.sets.row(n), row);
      }
      continue;
    }
    BitMatrix own(1, model.sources.count);
    for (std::size_t s = 0; s < model.prior.sets.rows(); ++s) {
      own.set(0, s, std::equal(items.sets.row(n).begin(), items.sets.row(n).end(), model.prior.sets.row(s).begin()));
    }
    sum += plain_log_density(model.sources, own.row(0), row);
  }
  return sum;
}

void expect_likelihood(const LabelledItems& items, const TrainOptions& options, bool equals_objective) {
  const MultilabelFit fit = train_multilabel(items, options, false, {});
  const double expected = plain_log_likelihood(fit.model, items);
  ASSERT_TRUE(fit.log_likelihood);
  EXPECT_NEAR(*fit.log_likelihood, expected, rounding * std::abs(expected));
  EXPECT_EQ(std::abs(fit.summary.objective.back() - expected) < rounding * std::abs(expected), equals_objective)
      << fit.summary.objective.back() << " " << expected;
}

TEST(TrainedLikelihood, IsThatOfTheItemsForEveryFamily) {
  using enum Combination;
  const std::vector<std::pair<Family, Combination>> pairs = {
      {Family::gaussian, sum},          {Family::gaussian, mean},
      {Family::lognormal, product},     {Family::bernoulli, logical_or},
      {Family::bernoulli, logical_and}, {Family::exponential, minimum},
      {Family::poisson, sum},           {Family::gamma, sum}};
  for (const auto& [family, combination] : pairs) {
    SCOPED_TRACE(family_word(family));
    TrainOptions options{.source = family, .combine = combination, .shrinkage = 0.0};
    expect_likelihood(simulated(options), options, true);
  }
}

TEST(TrainedLikelihood, LeavesShrinkageAndPriorOut) {
  for (const Covariance covariance : {Covariance::spherical, Covariance::diagonal, Covariance::full}) {
    TrainOptions options;
    options.covariance = covariance;
    options.background = covariance == Covariance::full;
    options.standardize = covariance == Covariance::full;
    expect_likelihood(simulated(options), options, false);
    options.prior_strength = 4.0;
    expect_likelihood(simulated(options), options, false);
  }
}

TEST(TrainedLikelihood, IsThatOfTheCombinationForEveryMethod) {
  for (const Training method : {Training::ignore, Training::fresh, Training::cross, Training::probabilistic}) {
    SCOPED_TRACE(training_words[static_cast<std::size_t>(method)]);
    TrainOptions options;
    options.method = method;
    expect_likelihood(simulated(options), options, false);
  }
}

TEST(TrainedLikelihood, ItemsThatNothingExplainsAreLeftOutAndCounted) {
  TrainOptions options;
  options.background = true;
  const LabelledItems items = simulated(options);
  options.background = false;
  options.method = Training::cross;
  const MultilabelFit fit = train_multilabel(items, options, false, {});
  std::size_t empty = 0;
  for (std::size_t n = 0; n < items.rows(); ++n) empty += items.sets.count(n) == 0 ? 1 : 0;
  ASSERT_GT(empty, 0U);
  EXPECT_EQ(fit.explained, items.rows() - empty);
  EXPECT_EQ(fit.warnings, (std::vector<std::string>{std::to_string(empty) +
                                                    " items have no label, so no source explains them: they teach "
                                                    "nothing; --background explains them"}));
  const double expected = plain_log_likelihood(fit.model, items);
  EXPECT_NEAR(fit.log_likelihood.value(), expected, rounding * std::abs(expected));
}

TEST(TrainedLikelihood, OfWhatHasNoClosedFormIsTheObjectiveWithoutThePrior) {
  TrainOptions options{.source = Family::lognormal, .combine = Combination::sum, .shrinkage = 0.0};
  const MultilabelFit fit = train_multilabel(simulated(options), options, false, {});
  EXPECT_NEAR(fit.log_likelihood.value(), fit.summary.objective.back(), 1e-3);
}

}  // namespace
}  // namespace motet::multilabel::likelihood_test
