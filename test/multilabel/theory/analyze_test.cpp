// What `analyze` tells of a model and its items.
#include "motet/multilabel/theory/analyze.h"

#include <gtest/gtest.h>

#include <cmath>

#include "motet/multilabel/theory/precision.h"
#include "motet/multilabel/train.h"
#include "motet/sources/sample.h"
#include "support/errors.h"
#include "support/threads.h"

namespace motet::multilabel::analyze_test {
namespace {

Sources three_sources() {
  Sources sources;
  sources.dimensions = 2;
  sources.count = 3;
  sources.location = {-2.0, 1.0, 3.0, 0.5, 1.0, -4.0};
  sources.spread = {1.0, 0.8, 2.0, 1.1, 1.5, 0.9};
  return sources;
}

LabelledItems drawn(const Sources& sources, const std::vector<std::string>& sets, std::size_t each, Seed seed) {
  LabelledItems items;
  items.labels = {"a", "b", "c"};
  items.sets = BitMatrix(sets.size() * each, 3);
  for (std::size_t n = 0; n < items.sets.rows(); ++n) {
    for (std::size_t k = 0; k < 3; ++k) items.sets.set(n, k, sets[n % sets.size()][k] == '1');
  }
  items.features.columns = {"x", "y"};
  items.features.values = sample_items(sources, items.sets, Rng(seed));
  return items;
}

const std::vector<std::string> several = {"100", "010", "001", "110", "011"};

MultilabelModel trained(const LabelledItems& items, TrainOptions options) {
  return train_multilabel(items, options, false, {}).model;
}

TEST(Analyze, TellsOfEverySourceAndSet) {
  const LabelledItems items = drawn(three_sources(), several, 60, Seed{3});
  const MultilabelModel model = trained(items, {});
  const Analysis found = analyze(items, model, 0.95, {});
  EXPECT_TRUE(found.identifiability.identifiable);
  EXPECT_EQ(found.items, 300U);
  EXPECT_TRUE(found.warnings.empty());
  ASSERT_EQ(found.parameters.size(), 6U);
  ASSERT_EQ(found.spreads.size(), 6U);
  const LabelSetIndex index = index_label_sets(items.sets);
  const std::vector<double> count(5, 60.0);
  const Precision precision = location_precision(model.sources, index.sets, count, {});
  for (std::size_t i = 0; i < 6; ++i) {
    const ParameterError& one = found.parameters[i];
    EXPECT_EQ(one.source, i / 2);
    EXPECT_EQ(one.dimension, i % 2);
    EXPECT_EQ(one.value, model.sources.location[i]);
    EXPECT_EQ(one.standard_error[0], precision.error[i]);
    // A little wider than two errors: the variances are estimated too.
    EXPECT_GT(one.high - one.value, 1.96 * one.standard_error[0]);
    EXPECT_LT(one.high - one.value, 2.05 * one.standard_error[0]);
    EXPECT_NEAR(one.high - one.value, one.value - one.low, 1e-12);
    EXPECT_LT(one.standard_error[0], one.standard_error[1]);
    EXPECT_LT(found.spreads[i].low, found.spreads[i].value);
    EXPECT_GT(found.spreads[i].high, found.spreads[i].value);
  }
  EXPECT_NEAR(found.parameters[0].bias[3], 0.5 * model.sources.location[2], 1e-12);  // half the items have b too
  ASSERT_EQ(found.sets.size(), 2U);
  EXPECT_EQ(found.sets[0].set, "a|b");
  EXPECT_EQ(found.sets[0].items, 60U);
  EXPECT_EQ(found.sets[0].degrees, 2.0);
  EXPECT_GT(found.overall_p, 0.01);
}

TEST(Analyze, ASetThatDoesNotAddUpIsFound) {
  LabelledItems items = drawn(three_sources(), several, 60, Seed{4});
  for (std::size_t n = 0; n < items.rows(); ++n) {
    if (items.sets(n, 0) && items.sets(n, 1)) items.features.values[2 * n] += 1.5;
  }
  const Analysis found = analyze(items, trained(items, {}), 0.95, {});
  EXPECT_LT(found.overall_p, 1e-3);
  EXPECT_LT(found.sets[0].p_value, 1e-3);
  // 1.5 in units of about the root of 1 + 2.
  EXPECT_NEAR(found.sets[0].shift, 0.87, 0.25);
}

TEST(Analyze, LabelsAreFoundByNameInAnyOrder) {
  LabelledItems items = drawn(three_sources(), several, 40, Seed{5});
  const MultilabelModel model = trained(items, {});
  const Analysis straight = analyze(items, model, 0.9, {});
  items.labels = {"c", "a", "b"};
  items.sets = items.sets.columns_of(std::vector<std::uint32_t>{2, 0, 1});
  const Analysis turned = analyze(items, model, 0.9, {});
  EXPECT_EQ(turned.parameters[3].low, straight.parameters[3].low);
  EXPECT_EQ(turned.overall_p, straight.overall_p);
  items.labels[0] = "d";
  EXPECT_EQ(error_of([&] { analyze(items, model, 0.9, {}); }, ErrorKind::bad_data), "the items have no label 'c'");
}

TEST(Analyze, AModelOfSetsIsAnalysedAtTheSourcesOfDeconvolution) {
  const LabelledItems items = drawn(three_sources(), several, 60, Seed{6});
  TrainOptions options;
  options.method = Training::fresh;
  const Analysis fresh = analyze(items, trained(items, options), 0.95, {});
  const Analysis whole = analyze(items, trained(items, {}), 0.95, {});
  ASSERT_EQ(fresh.parameters.size(), 6U);
  EXPECT_NEAR(fresh.parameters[1].value, whole.parameters[1].value, 1e-9);
  EXPECT_NEAR(fresh.overall_p, whole.overall_p, 1e-9);
}

TEST(Analyze, EmptySetsCountOnlyWithABackground) {
  Sources sources = three_sources();
  sources.count = 4;
  sources.background = true;
  sources.location.insert(sources.location.end(), {5.0, 5.0});
  sources.spread.insert(sources.spread.end(), {0.5, 0.5});
  std::vector<std::string> sets = several;
  sets.push_back("000");
  const LabelledItems items = drawn(sources, sets, 50, Seed{7});
  TrainOptions options;
  options.background = true;
  const Analysis found = analyze(items, trained(items, options), 0.95, {});
  EXPECT_EQ(found.parameters.size(), 8U);
  EXPECT_EQ(found.sets.size(), 5U);                    // every set but the empty one has two sources or more
  EXPECT_NEAR(found.parameters[0].bias[1], 5.0, 0.3);  // ignore takes the background for part of the source

  std::vector<std::uint32_t> labelled;
  for (std::uint32_t n = 0; n < items.rows(); ++n) {
    if (items.sets.count(n) > 0) labelled.push_back(n);
  }
  const MultilabelModel plain = trained(rows_of(items, labelled), {});
  const Analysis without = analyze(items, plain, 0.95, {});
  EXPECT_EQ(without.warnings,
            (std::vector<std::string>{"50 items without labels are left out: the model has no background"}));
  EXPECT_EQ(without.parameters[0].low, analyze(rows_of(items, labelled), plain, 0.95, {}).parameters[0].low);
}

TEST(Analyze, IntervalsOfProbabilitiesAndRatesStayInside) {
  Sources sources = three_sources();
  sources.family = Family::bernoulli;
  sources.combination = Combination::logical_or;
  sources.spread.clear();
  sources.location = {0.9, 0.02, 0.5, 0.01, 0.3, 0.97};
  TrainOptions options;
  options.source = Family::bernoulli;
  options.combine = Combination::logical_or;
  const LabelledItems bits = drawn(sources, several, 30, Seed{8});
  for (const ParameterError& one : analyze(bits, trained(bits, options), 0.99, {}).parameters) {
    EXPECT_GE(one.low, 0.0);
    EXPECT_LE(one.high, 1.0);
    EXPECT_LE(one.low, one.value);
    EXPECT_GE(one.high, one.value);
  }
  sources.family = options.source = Family::poisson;
  sources.combination = options.combine = Combination::sum;
  const LabelledItems counts = drawn(sources, several, 30, Seed{9});
  for (const ParameterError& one : analyze(counts, trained(counts, options), 0.99, {}).parameters) {
    EXPECT_GE(one.low, 0.0);
  }
}

TEST(Analyze, WhatIsNotWorkedOutIsSaid) {
  const LabelledItems items = drawn(three_sources(), several, 20, Seed{10});
  MultilabelModel model = trained(items, {});
  model.options.combine = model.sources.combination = Combination::one_of;
  const Analysis found = analyze(items, model, 0.95, {});
  EXPECT_TRUE(found.parameters.empty());
  EXPECT_EQ(found.overall_p, 1.0);
  EXPECT_EQ(found.untested, "the test is not worked out for this combination");
  EXPECT_EQ(found.identifiability.rank, 3U);
  EXPECT_EQ(
      found.warnings,
      (std::vector<std::string>{"standard errors are not worked out for gaussian sources with --combine one-of"}));
}

// A mean of counts is their sum in another unit: what can be known is the same.
TEST(Analyze, MeansOfCountsAndOfGammasAreAnalyzedAsSums) {
  for (const Family family : {Family::poisson, Family::gamma}) {
    Sources sources = three_sources();
    sources.family = family;
    sources.combination = Combination::sum;
    sources.location = {1.0, 2.0, 3.0, 1.5, 2.5, 0.5};
    sources.spread.clear();
    if (family == Family::gamma) sources.spread = {1.0, 2.0};
    TrainOptions options;
    options.source = family;
    const LabelledItems sums = drawn(sources, several, 60, Seed{13});
    LabelledItems means = sums;
    for (std::size_t n = 0; n < means.rows(); ++n) {
      for (std::size_t d = 0; d < 2; ++d) means.features.values[n * 2 + d] /= static_cast<double>(means.sets.count(n));
    }
    MultilabelModel model = trained(sums, options);
    const Analysis of_sums = analyze(sums, model, 0.95, {});
    model.options.combine = model.sources.combination = Combination::mean;
    const Analysis of_means = analyze(means, model, 0.95, {});
    ASSERT_EQ(of_means.parameters.size(), 6U);
    EXPECT_TRUE(of_means.warnings.empty());
    for (std::size_t i = 0; i < 6; ++i) {
      EXPECT_NEAR(of_means.parameters[i].low, of_sums.parameters[i].low, 1e-9);
      EXPECT_NEAR(of_means.parameters[i].high, of_sums.parameters[i].high, 1e-9);
      // These trainings learn from the means as they are.
      EXPECT_TRUE(std::isnan(of_means.parameters[i].standard_error[3]));
      EXPECT_TRUE(std::isnan(of_means.parameters[i].bias[4]));
    }
    EXPECT_NEAR(of_means.overall_p, of_sums.overall_p, 1e-6);
  }
}

TEST(Analyze, SameNumbersOnAnyNumberOfThreads) {
  const LabelledItems items = drawn(three_sources(), several, 60, Seed{11});
  const MultilabelModel model = trained(items, {});
  RunContext run;
  run.threads.count = 1;
  const Analysis one = analyze(items, model, 0.95, run);
  StartedThreads started(4);
  run.threads = started;
  const Analysis four = analyze(items, model, 0.95, run);
  for (std::size_t i = 0; i < one.parameters.size(); ++i) EXPECT_EQ(one.parameters[i].low, four.parameters[i].low);
  for (std::size_t j = 0; j < one.sets.size(); ++j) EXPECT_EQ(one.sets[j].statistic, four.sets[j].statistic);
}

TEST(Analyze, ConfidenceIsAShare) {
  const LabelledItems items = drawn(three_sources(), several, 10, Seed{12});
  const MultilabelModel model = trained(items, {});
  EXPECT_THROW(analyze(items, model, 1.0, {}), Error);
}

}  // namespace
}  // namespace motet::multilabel::analyze_test
