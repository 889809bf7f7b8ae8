#include "motet/superset/evaluate.h"

#include <gtest/gtest.h>

#include <numeric>

#include "superset/candidate_cases.h"
#include "support/errors.h"

namespace motet::superset::evaluate_test {
namespace {

SupersetOptions lines() {
  SupersetOptions options;
  options.method = SupersetMethod::logistic;
  options.folds = 2;
  return options;
}

TEST(SupersetEvaluate, HeldOutItemsAreScoredAndCounted) {
  const CandidateItems items = easy_items(90);
  const Parts fold = random_parts(90, 3, Rng(Seed{2}));
  const SupersetEvaluation result = cross_validate(items, lines(), fold, 0.9, {});
  EXPECT_EQ(result.folds.size(), 3U);
  EXPECT_GT(result.inductive.mean, 0.9);
  EXPECT_GE(result.transductive.mean, result.inductive.mean - 0.05);
  std::size_t counted = 0;
  for (const std::size_t count : result.confusion) counted += count;
  EXPECT_EQ(counted, 90U);
  EXPECT_EQ(result.log_likelihood.size(), 90U);
}

TEST(SupersetEvaluate, WithoutAnyTruthThereIsNothingToScore) {
  CandidateItems items = easy_items(30);
  items.truth.clear();
  const Parts fold = random_parts(30, 3, Rng(Seed{2}));
  EXPECT_EQ(error_of([&] { cross_validate(items, lines(), fold, 0.0, {}); }),
            "no true label is known; evaluation needs some");
}

// What is said of the held-out items, counted again from the probabilities.
TEST(SupersetEvaluate, FiguresAreThoseOfTheProbabilities) {
  CandidateItems items = easy_items(90);
  items.truth[4] = -1;
  const Parts fold = random_parts(90, 3, Rng(Seed{2}));
  const SupersetEvaluation result = cross_validate(items, lines(), fold, 0.9, {});
  std::vector<double> hits(3), known(3);
  std::vector<std::size_t> confusion(9);
  for (std::size_t n = 0; n < 90; ++n) {
    const double* p = result.probability.data() + n * 3;
    double foreseen = 0.0;
    for (const std::uint32_t l : items.candidates(n)) foreseen += p[l];
    EXPECT_NEAR(result.log_likelihood[n], std::log(foreseen), 1e-12);
    if (items.truth[n] < 0) continue;
    const auto label = static_cast<std::int32_t>(std::max_element(p, p + 3) - p);
    known[fold.of_row[n]] += 1.0;
    hits[fold.of_row[n]] += label == items.truth[n] ? 1.0 : 0.0;
    ++confusion[static_cast<std::size_t>(items.truth[n] * 3 + label)];
  }
  EXPECT_EQ(result.confusion, confusion);
  for (std::size_t f = 0; f < 3; ++f) {
    EXPECT_EQ(static_cast<double>(result.folds[f].items), known[f]);
    EXPECT_DOUBLE_EQ(result.folds[f].inductive, hits[f] / known[f]);
  }
  EXPECT_NEAR(result.inductive.mean, (hits[0] / known[0] + hits[1] / known[1] + hits[2] / known[2]) / 3.0, 1e-12);
  EXPECT_GE(result.set_size, 1.0);
  EXPECT_GE(result.covered, result.inductive.mean - 1e-12);  // a set holds the likeliest label
}

// Features that say nothing of the labels: a memory of the items themselves would be right every time.
TEST(SupersetEvaluate, NoItemIsAskedAboutAfterItWasSeen) {
  CandidateItems items = easy_items(120);
  Rng rng(Seed{6});
  for (double& value : items.features.values) value = rng.normal();
  SupersetOptions options;
  options.method = SupersetMethod::knn;
  options.neighbours = 1;
  options.folds = 2;
  const SupersetEvaluation result = cross_validate(items, options, random_parts(120, 4, Rng(Seed{2})), 0.0, {});
  EXPECT_NEAR(result.inductive.mean, 1.0 / 3.0, 4.0 * std::sqrt(2.0 / 9.0 / 120.0));  // four standard errors
}

TEST(SupersetEvaluate, PartsOfOtherItemsAreRefused) {
  const CandidateItems items = easy_items(30);
  EXPECT_EQ(error_of([&] { cross_validate(items, lines(), random_parts(20, 2, Rng(Seed{1})), 0.0, {}); }),
            "20 folds for 30 items");
}

}  // namespace
}  // namespace motet::superset::evaluate_test
