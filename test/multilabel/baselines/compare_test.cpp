#include "motet/multilabel/baselines/compare.h"

#include <gtest/gtest.h>

#include "motet/measure/label_sets.h"
#include "motet/multilabel/simulate.h"
#include "support/errors.h"
#include "support/threads.h"

namespace motet::multilabel::compare_test {
namespace {

SimulatedItems separated(std::size_t items, std::uint64_t seed) {
  SimulateItemsOptions options{.items = items, .labels = 3, .features = 5, .max_degree = 2, .separation = 6.0};
  return simulate_items(options, Seed{seed});
}

LabelledItems half(const LabelledItems& items, bool second) {
  std::vector<std::uint32_t> rows;
  for (std::uint32_t n = 0; n < items.rows(); ++n) {
    if ((n % 2 == 1) == second) rows.push_back(n);
  }
  return rows_of(items, rows);
}

TEST(Baselines, DecideSeparatedItemsNearlyAlwaysRight) {
  const LabelledItems items = separated(400, 3).items;
  const LabelledItems train = half(items, false);
  const LabelledItems test = half(items, true);
  for (const Baseline& baseline : baselines()) {
    const BitMatrix sets = run_baseline(baseline.word, train, test.features, {});
    const double error = label_set_quality(test.sets, sets).error_rate;
    EXPECT_LT(error, 0.2) << baseline.word;
  }
}

TEST(Baselines, GiveTheSameSetsOnAnyNumberOfThreads) {
  const LabelledItems items = separated(200, 4).items;
  RunContext one;
  one.threads = {1};
  for (const Baseline& baseline : baselines()) {
    const bool is_divided = baseline.word != "lp-lda" && baseline.word != "lp-logistic";
    StartedThreads started(is_divided ? 4 : 1);
    RunContext four;
    four.threads = is_divided ? Threads(started) : Threads{4};
    EXPECT_EQ(run_baseline(baseline.word, items, items.features, one),
              run_baseline(baseline.word, items, items.features, four))
        << baseline.word;
  }
}

TEST(Baselines, ALabelOfAllOrNoneNeedsNoDecision) {
  LabelledItems items;
  items.labels = {"all", "none", "some"};
  items.features.columns = {"x"};
  items.sets = BitMatrix(40, 3);
  for (std::size_t n = 0; n < 40; ++n) {
    items.features.values.push_back(n % 2 == 0 ? 1.0 + 0.01 * static_cast<double>(n) : -1.0);
    items.sets.set(n, 0);
    items.sets.set(n, 2, n % 2 == 0);
  }
  for (const Baseline& baseline : baselines()) {
    EXPECT_EQ(run_baseline(baseline.word, items, items.features, {}), items.sets) << baseline.word;
  }
}

TEST(Baselines, WordsThatAreNotKnownAreRefused) {
  const LabelledItems items = separated(20, 5).items;
  EXPECT_EQ(error_of([&] { run_baseline("lp-forest", items, items.features, {}); }, ErrorKind::usage),
            "--compare: 'lp-forest' is not one of {lp-lda, lp-logistic, lp-svm, ovr-lda, ovr-logistic, ovr-svm, "
            "ml-knn}");
}

TEST(Baselines, NeedTrainingItemsWithSets) {
  LabelledItems items = separated(20, 6).items;
  items.sets = BitMatrix();
  EXPECT_EQ(error_of([&] { run_baseline("lp-lda", items, items.features, {}); }, ErrorKind::bad_data),
            "there are 0 training items with label sets; a comparison needs at least two");
}

}  // namespace
}  // namespace motet::multilabel::compare_test
