#include "motet/multilabel/one_against_all.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "motet/base/rng.h"
#include "motet/multilabel/predict.h"
#include "motet/multilabel/train.h"
#include "support/errors.h"
#include "support/threads.h"

namespace motet::multilabel::one_against_all_test {
namespace {

constexpr std::size_t labels = 3;
constexpr double rounding = 1e-9;

// Items of three sources that add, in two features; label 2 is in every item when `always`.
LabelledItems drawn_items(std::size_t rows, std::uint64_t seed, bool always = false) {
  LabelledItems items;
  items.labels = {"a", "b", "c"};
  items.features.columns = {"x", "y"};
  items.sets = BitMatrix(rows, labels);
  const double means[3][2] = {{3, 0}, {0, 3}, {-3, -3}};
  Rng rng(Seed{seed});
  for (std::size_t n = 0; n < rows; ++n) {
    const std::size_t set = always ? 4 + n % 4 : 1 + n % 7;
    double x = 0.0;
    double y = 0.0;
    for (std::size_t k = 0; k < labels; ++k) {
      if ((set >> k & 1U) == 0) continue;
      items.sets.set(n, k);
      x += means[k][0] + rng.normal();
      y += means[k][1] + rng.normal();
    }
    items.features.values.push_back(x);
    items.features.values.push_back(y);
  }
  return items;
}

TrainOptions plain(Training method) {
  TrainOptions options{.method = method, .shrinkage = 0.0};
  return options;
}

// Weighted maximum likelihood of a diagonal Gaussian, and its density, in the plainest way.
struct Plain {
  double weight = 0.0;
  double mean[2] = {0.0, 0.0};
  double variance[2] = {0.0, 0.0};
};

template <class Weight>
Plain plain_gaussian(const LabelledItems& items, const Weight& weight) {
  Plain found;
  for (std::size_t n = 0; n < items.rows(); ++n) found.weight += weight(n);
  for (int d = 0; d < 2; ++d) {
    for (std::size_t n = 0; n < items.rows(); ++n) {
      found.mean[d] += weight(n) * items.features.values[2 * n + d] / found.weight;
    }
    for (std::size_t n = 0; n < items.rows(); ++n) {
      const double away = items.features.values[2 * n + d] - found.mean[d];
      found.variance[d] += weight(n) * away * away / found.weight;
    }
  }
  return found;
}

double weighted_density(const Plain& one, const double* x) {
  double density = one.weight;
  for (int d = 0; d < 2; ++d) {
    const double away = x[d] - one.mean[d];
    density *= std::exp(-0.5 * away * away / one.variance[d]) / std::sqrt(2.0 * std::numbers::pi * one.variance[d]);
  }
  return density;
}

TEST(OneAgainstAll, AsksOfEachLabelWhetherTheItemIsOneWithItOrOneWithout) {
  const LabelledItems items = drawn_items(210, 1);
  const LabelledItems asked = drawn_items(70, 2);
  for (const Training method : {Training::cross, Training::probabilistic}) {
    const MultilabelModel model = train_multilabel(items, plain(method), false, {}).model;
    const SetPredictions told =
        predict(model, asked.features, {.candidates = {}, .decision = Decision::one_against_all}, {});
    for (std::size_t k = 0; k < labels; ++k) {
      const Plain with = plain_gaussian(items, [&](std::size_t n) {
        if (!items.sets(n, k)) return 0.0;
        return method == Training::cross ? 1.0 : 1.0 / static_cast<double>(items.sets.count(n));
      });
      const Plain without = plain_gaussian(items, [&](std::size_t n) { return items.sets(n, k) ? 0.0 : 1.0; });
      for (std::size_t n = 0; n < asked.rows(); ++n) {
        const double* const x = asked.features.values.data() + 2 * n;
        const double yes = weighted_density(with, x);
        const double posterior = yes / (yes + weighted_density(without, x));
        ASSERT_NEAR(told.marginal[n * labels + k], posterior, rounding);
        ASSERT_EQ(told.sets(n, k), posterior > 0.5);
      }
    }
    for (std::size_t n = 0; n < asked.rows(); ++n) {
      double product = 1.0;
      for (std::size_t k = 0; k < labels; ++k) {
        const double p = told.marginal[n * labels + k];
        product *= std::max(p, 1.0 - p);
      }
      EXPECT_NEAR(told.probability[n], product, rounding);
      EXPECT_EQ(std::isnan(told.log_likelihood[n]), told.sets.count(n) == 0);
      ASSERT_EQ(told.ranked[n].size(), 1U);
      EXPECT_TRUE(std::equal(told.sets.row(n).begin(), told.sets.row(n).end(),
                             told.candidates.row(told.ranked[n][0].set).begin()));
    }
  }
}

TEST(OneAgainstAll, ALabelOfEveryItemIsAlwaysGiven) {
  const LabelledItems items = drawn_items(200, 3, true);
  const MultilabelModel model = train_multilabel(items, plain(Training::cross), false, {}).model;
  EXPECT_EQ(model.against->without[2], 0.0);
  NumberTable far = items.features;
  far.values[0] = 1e6;
  const SetPredictions told = predict(model, far, {.candidates = {}, .decision = Decision::one_against_all}, {});
  for (std::size_t n = 0; n < far.rows(); ++n) EXPECT_EQ(told.marginal[n * labels + 2], 1.0);
}

TEST(OneAgainstAll, SourcesOfEveryFamilyHaveIt) {
  LabelledItems items = drawn_items(140, 4);
  LabelledItems positive = items;
  for (double& value : positive.features.values) value = std::exp(0.2 * value);
  LabelledItems whole = items;
  for (double& value : whole.features.values) value = std::floor(std::abs(value));
  LabelledItems binary = items;
  for (double& value : binary.features.values) value = value > 0.0 ? 1.0 : 0.0;
  const auto expect_two_sides = [](const LabelledItems& data, TrainOptions options) {
    options.method = Training::cross;
    options.background = true;  // is in no item when a label stands for itself
    const MultilabelModel model = train_multilabel(data, options, false, {}).model;
    const SetPredictions told =
        predict(model, data.features, {.candidates = {}, .decision = Decision::one_against_all}, {});
    std::size_t given = 0;
    for (std::size_t n = 0; n < data.rows(); ++n) given += told.sets.count(n);
    EXPECT_GT(given, data.rows() / 5);
    for (const double p : told.marginal) EXPECT_TRUE(p >= 0.0 && p <= 1.0);
  };
  const auto of = [](Family family, Combination combination, Covariance covariance = Covariance::diagonal) {
    TrainOptions options;
    options.source = family;
    options.combine = combination;
    options.covariance = covariance;
    return options;
  };
  expect_two_sides(items, of(Family::gaussian, Combination::mean, Covariance::full));
  expect_two_sides(items, of(Family::gaussian, Combination::sum, Covariance::shared));
  expect_two_sides(positive, of(Family::lognormal, Combination::product));
  expect_two_sides(positive, of(Family::exponential, Combination::minimum));
  expect_two_sides(positive, of(Family::gamma, Combination::sum));
  expect_two_sides(whole, of(Family::poisson, Combination::sum));
  expect_two_sides(binary, of(Family::bernoulli, Combination::logical_or));
}

TEST(OneAgainstAll, SurvivesTheModelFile) {
  const LabelledItems items = drawn_items(140, 5);
  const MultilabelModel model = train_multilabel(items, plain(Training::cross), false, {}).model;
  ASSERT_TRUE(model.against.has_value());
  const MultilabelModel read = multilabel_from_record(to_record(model));
  EXPECT_EQ(read.against, model.against);
  Record damaged = to_record(model);
  Value against = damaged.fields.at("one_against_all");
  against.set("with", Value::list_of(std::vector<double>{1.0, 0.0, 1.0}));
  damaged.fields.set("one_against_all", against);
  EXPECT_EQ(error_of([&] { multilabel_from_record(damaged); }, ErrorKind::bad_data),
            "one_against_all: fields 'with' and 'without' hold numbers of items; with is above 0");
}

std::string refusal(const MultilabelModel& model, const NumberTable& features, const PredictOptions& options) {
  try {
    predict(model, features, options, {});
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

TEST(OneAgainstAll, IsRefusedWhereItHasNoMeaning) {
  const LabelledItems items = drawn_items(140, 6);
  const PredictOptions decide{.candidates = {}, .decision = Decision::one_against_all};
  for (const Training method : {Training::deconvolution, Training::fresh, Training::ignore}) {
    EXPECT_EQ(refusal(train_multilabel(items, plain(method), false, {}).model, items.features, decide),
              "--decision one-against-all needs a model of --method cross or probabilistic, whose sources are learnt "
              "from whole items; this one is of --method " +
                  std::string(training_words[static_cast<std::size_t>(method)]));
  }
  MultilabelModel model = train_multilabel(items, plain(Training::cross), false, {}).model;
  PredictOptions all = decide;
  all.candidates.kind = CandidateKind::all;
  EXPECT_EQ(refusal(model, items.features, all),
            "--decision one-against-all decides each label by itself; leave out --candidates");
  PredictOptions best = decide;
  best.best = 2;
  EXPECT_EQ(refusal(model, items.features, best), "--decision one-against-all finds one set; leave out --best");
  model.against.reset();
  EXPECT_EQ(refusal(model, items.features, decide),
            "--decision one-against-all: the model knows nothing of the items without a label; it was trained by an "
            "older motet, or too few items lack some label");
}

TEST(OneAgainstAll, TheSameOnAnyNumberOfThreads) {
  const LabelledItems items = drawn_items(1400, 7);
  const MultilabelModel model = train_multilabel(items, plain(Training::cross), false, {}).model;
  const PredictOptions decide{.candidates = {}, .decision = Decision::one_against_all};
  RunContext one;
  one.threads.count = 1;
  RunContext four;
  StartedThreads started(4);
  four.threads = started;
  const SetPredictions a = predict(model, items.features, decide, one);
  const SetPredictions b = predict(model, items.features, decide, four);
  EXPECT_EQ(a.marginal, b.marginal);
  EXPECT_EQ(a.probability, b.probability);
}

}  // namespace
}  // namespace motet::multilabel::one_against_all_test
