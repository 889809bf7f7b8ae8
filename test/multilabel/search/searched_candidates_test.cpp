#include "motet/multilabel/search/searched_candidates.h"

#include <gtest/gtest.h>

#include <cmath>

#include "motet/multilabel/item_decision.h"
#include "multilabel/search_cases.h"

namespace motet::multilabel::searched_candidates_test {
namespace {

constexpr double rounding = 1e-9;

// Densities of all observed sets of the prior.
std::vector<double> observed_densities(const MultilabelModel& model, std::span<const double> x) {
  std::vector<double> result;
  for (std::size_t j = 0; j < model.prior.sets.rows(); ++j) {
    result.push_back(plain_log_density(model.sources, model.prior.sets.row(j), x));
  }
  return result;
}

TEST(SearchedCandidates, DecideAsEnumerationDoesAndTheirPosteriorsAreUpperBounds) {
  for (const Covariance covariance : {Covariance::shared, Covariance::diagonal}) {
    for (const Decision decision : {Decision::map, Decision::ml}) {
      Rng rng(Seed{12});
      const MultilabelModel model = random_model({.covariance = covariance, .background = true}, 8, 6, 3, 0.5, rng);
      const PredictOptions options{.candidates = {CandidateKind::degree, 6}, .decision = decision, .best = 2};
      const SearchedCandidates candidates(model, options);
      const BitMatrix sets = enumerate_sets(8, 6, true);
      const std::vector<double> prior = log_priors(model.prior, sets);
      for (std::size_t n = 0; n < 40; ++n) {
        const std::vector<double> x = random_item(model, 0.5, rng);
        std::vector<double> density;
        for (std::size_t j = 0; j < sets.rows(); ++j) {
          density.push_back(plain_log_density(model.sources, sets.row(j), x));
        }
        const ItemDecision all = decide_item(sets, density, prior, decision, 2);
        const ItemCandidates item = candidates.of(x, observed_densities(model, x));
        const ItemDecision found = decide_item(item.sets, item.log_density, item.log_prior, decision, 2);
        EXPECT_EQ(found.set, all.set);
        EXPECT_NEAR(found.log_joint, all.log_joint, rounding);
        EXPECT_NEAR(found.log_likelihood, all.log_likelihood, rounding);
        EXPECT_GE(found.posterior, all.posterior - rounding);
        EXPECT_TRUE(std::isinf(item.outside));
      }
    }
  }
}

TEST(SearchedCandidates, HaveTheDensityAndThePriorOfEachSetOnce) {
  for (const Decision decision : {Decision::map, Decision::ml}) {
    Rng rng(Seed{13});
    const MultilabelModel model = random_model({.covariance = Covariance::diagonal}, 7, 5, 3, 0.5, rng);
    const SearchedCandidates candidates(model, {.candidates = {CandidateKind::all, 0}, .decision = decision});
    const std::vector<double> x = random_item(model, 0.5, rng);
    const ItemCandidates item = candidates.of(x, observed_densities(model, x));
    ASSERT_GT(item.sets.rows(), candidates.observed().rows());
    ASSERT_EQ(item.log_density.size(), item.sets.rows());
    ASSERT_EQ(item.log_prior.size(), item.sets.rows());
    for (std::size_t j = 0; j < item.sets.rows(); ++j) {
      EXPECT_EQ(find_set(item.sets, item.sets.row(j)), j);  // the first of its kind
      EXPECT_NEAR(item.log_density[j], plain_log_density(model.sources, item.sets.row(j), x), rounding);
      EXPECT_NEAR(item.log_prior[j], log_prior(model.prior, item.sets.row(j)), rounding);
    }
  }
}

TEST(SearchedCandidates, OnlySetsOfADegreeThatMayBe) {
  Rng rng(Seed{14});
  const MultilabelModel model = random_model({.covariance = Covariance::shared}, 7, 5, 4, 0.5, rng);
  const SearchedCandidates candidates(model, {.candidates = {CandidateKind::degree, 2}});
  std::size_t observed = 0;
  for (std::size_t j = 0; j < model.prior.sets.rows(); ++j) observed += model.prior.sets.count(j) <= 2 ? 1 : 0;
  EXPECT_LT(observed, model.prior.sets.rows());
  EXPECT_EQ(candidates.observed().rows(), observed);
  const std::vector<double> x = random_item(model, 0.5, rng);
  const ItemCandidates item = candidates.of(x, observed_densities(model, x));
  for (std::size_t j = 0; j < item.sets.rows(); ++j) EXPECT_LE(item.sets.count(j), 2U);
}

TEST(SearchedCandidates, NothingOutsideIsBetterThanTheySay) {
  Rng rng(Seed{15});
  const MultilabelModel model = random_model({.covariance = Covariance::shared}, 9, 4, 3, 1.0, rng);
  const SearchedCandidates candidates(model, {.candidates = {CandidateKind::all, 0}, .node_limit = 2});
  const BitMatrix sets = enumerate_sets(9, 9, false);
  const std::vector<double> prior = log_priors(model.prior, sets);
  std::size_t open = 0;
  for (std::size_t n = 0; n < 30; ++n) {
    const std::vector<double> x = random_item(model, 1.0, rng);
    const ItemCandidates item = candidates.of(x, observed_densities(model, x));
    if (std::isinf(item.outside)) continue;
    ++open;
    for (std::size_t j = 0; j < sets.rows(); ++j) {
      if (find_set(item.sets, sets.row(j)) != no_set) continue;
      EXPECT_LE(prior[j] + plain_log_density(model.sources, sets.row(j), x), item.outside + rounding);
    }
  }
  EXPECT_GT(open, 0U);  // else nothing was tried
}

// With the heuristic the search sees only the kept sources; of the others single labels and pairs are added.
TEST(SearchedCandidates, SourcesLeftOutComeBackAloneAndInPairs) {
  Rng rng(Seed{16});
  const MultilabelModel model = random_model({.covariance = Covariance::shared}, 6, 8, 3, 0.3, rng);
  const PredictOptions options{.candidates = {CandidateKind::all, 0}, .heuristic_error = 0.05};
  const SearchedCandidates candidates(model, options);
  std::size_t largest = 1;
  for (std::size_t j = 0; j < model.prior.sets.rows(); ++j) largest = std::max(largest, model.prior.sets.count(j));
  const SourceThreshold threshold = make_threshold(model.sources, largest, 0.05);
  std::size_t dropped = 0;
  for (std::size_t n = 0; n < 10; ++n) {
    const std::vector<double> x = random_item(model, 0.3, rng);
    const ItemCandidates item = candidates.of(x, observed_densities(model, x));
    const std::uint64_t kept = kept_sources(threshold, x)[0];
    for (std::size_t a = 0; a < 6; ++a) {
      for (std::size_t b = 0; b <= a; ++b) {
        if ((kept >> a & 1U) != 0 || (kept >> b & 1U) != 0) continue;
        BitMatrix pair(1, 6);
        pair.set(0, a);
        pair.set(0, b);
        const std::size_t found = find_set(item.sets, pair.row(0));
        ASSERT_NE(found, no_set);
        EXPECT_NEAR(item.log_density[found], plain_log_density(model.sources, pair.row(0), x), rounding);
        EXPECT_NEAR(item.log_prior[found], log_prior(model.prior, pair.row(0)), rounding);
        ++dropped;
      }
    }
  }
  EXPECT_GT(dropped, 0U);
}

}  // namespace
}  // namespace motet::multilabel::searched_candidates_test
