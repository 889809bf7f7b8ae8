#include "motet/superset/lsb_cmm/lsb_fit.h"

#include <gtest/gtest.h>

#include <cmath>
#include <optional>

#include "motet/base/error.h"
#include "motet/superset/lsb_cmm/lsb_stochastic.h"
#include "motet/superset/lsb_cmm/neighbour_evidence.h"
#include "superset/lsb_cases.h"
#include "support/threads.h"

namespace motet::superset::lsb_fit_test {
namespace {

constexpr double rounding = 1e-9;  // how far the bound may fall, relative

void expect_no_fall(const FitSummary& summary) {
  EXPECT_NE(summary.stop, Stop::objective_fell);
  for (std::size_t i = 1; i < summary.objective.size(); ++i) {
    EXPECT_GE(summary.objective[i], summary.objective[i - 1] - rounding * std::abs(summary.objective[i])) << i;
  }
}

SupersetOptions few_iterations(std::size_t count) {
  SupersetOptions options;
  options.max_iterations = count;
  return options;
}

LsbFit fit(const CandidateItems& items, const SupersetOptions& options, RunContext run = {}) {
  return fit_lsb_cmm(items, items.features.values, options, usual_order(items.classes.size()), run);
}

TEST(LsbFit, TheBoundNeverFalls) {
  for (const double alpha : {1e-6, 0.05, 2.0}) {
    for (const double outside : {0.0, 0.05}) {
      CandidateItems items = blobs_with_candidates(150, 2);
      items.outside = outside;
      SupersetOptions options = few_iterations(20);
      options.alpha = alpha;
      const LsbFit found = fit(items, options);
      EXPECT_GT(found.summary.iterations(), 5U);
      expect_no_fall(found.summary);
    }
  }
}

TEST(LsbFit, TheSameBytesOnAnyNumberOfThreads) {
  const CandidateItems items = blobs_with_candidates(1500, 2);
  RunContext run;
  run.threads = {1};
  const LsbFit one = fit(items, few_iterations(3), run);
  for (const unsigned count : {2U, 4U}) {
    StartedThreads started(count);
    run.threads = started;
    const LsbFit other = fit(items, few_iterations(3), run);
    EXPECT_EQ(other.model, one.model) << count;
    EXPECT_EQ(other.summary.objective, one.summary.objective) << count;
  }
}

TEST(LsbFit, ClustersOfAClassAreFound) {
  const CandidateItems items = blobs_with_candidates(600, 1);
  const LsbFit found = fit(items, few_iterations(60));
  // No straight lines part these classes: a linear method with the true labels stays below .7.
  EXPECT_GT(accuracy(found.model, items), 0.85);
  EXPECT_LT(found.model.components(), 25U);  // dead ones are gone
  double mass = 0.0;
  for (const double m : found.model.mass) mass += m;
  EXPECT_NEAR(mass, 600.0, 0.1);
}

TEST(LsbFit, CopiesOfAComponentPart) {
  const CandidateItems items = blobs_with_candidates(300, 0);
  LsbStart start = class_start(10, 5, usual_order(5));
  EXPECT_GT(start.jitter, 0.0);
  LsbRule rule;
  rule.max_iterations = 10;
  rule.prune = false;
  const LsbFit found = fit_from(rows_of_items(items), start, rule, Rng(Seed{1}), {}, "");
  double apart = 0.0;
  for (std::size_t l = 0; l < 5; ++l) {
    apart = std::max(apart, std::abs(found.model.concentration[l] - found.model.concentration[5 * 5 + l]));
  }
  EXPECT_GT(apart, 1.0);
}

TEST(LsbFit, ProbabilitiesSumToOne) {
  const CandidateItems items = blobs_with_candidates(200, 1);
  const LsbFit found = fit(items, few_iterations(5));
  const std::vector<double> p = class_probabilities(found.model, items.features.values, {1});
  for (std::size_t n = 0; n < 200; ++n) {
    double sum = 0.0;
    for (std::size_t l = 0; l < 5; ++l) sum += p[n * 5 + l];
    EXPECT_NEAR(sum, 1.0, 1e-12);
  }
}

TEST(LsbFit, StopsWhenAskedAndGoesOnFromACheckpoint) {
  const CandidateItems items = blobs_with_candidates(300, 1);
  SupersetOptions options = few_iterations(12);
  options.tolerance = 0.0;
  const LsbFit whole = fit(items, options);
  std::optional<Checkpoint> kept;
  RunContext run;
  run.save = [&](const Checkpoint& at) {
    if (at.iteration == 5) kept = at;
  };
  CancelFlag cancel;
  run.cancel = &cancel;
  run.observer = [&](const Progress&) {
    if (kept) cancel.set(2);
  };
  EXPECT_EQ(fit(items, options, run).summary.stop, Stop::interrupted);
  ASSERT_TRUE(kept.has_value());
  RunContext again;
  again.resume = [&](std::string_view stage) { return stage == kept->stage ? &*kept : nullptr; };
  const LsbFit resumed = fit(items, options, again);
  EXPECT_EQ(resumed.summary.objective, whole.summary.objective);
  EXPECT_EQ(resumed.model, whole.model);
  CandidateItems other = blobs_with_candidates(300, 1);
  other.classes.push_back("c6");
  try {
    fit(other, options, again);
    FAIL();
  } catch (const Error& error) {
    EXPECT_STREQ(error.what(), "the checkpoint belongs to other data or options; start without --resume");
  }
}

TEST(LsbFit, PruningKeepsTheOrderAndClosesTheStick) {
  LsbParameters parameters{3, 2, 1, {}, {1, 2, 3, 4, 5, 6}};
  parameters.w = {10, 20, 0, 0, 11, 21, 0, 0};
  std::vector<double> mass{0.0, 5.0, 7.0};
  EXPECT_TRUE(prune(parameters, mass, 1e-3));
  EXPECT_EQ(parameters.components, 2U);
  EXPECT_EQ(parameters.a, (std::vector<double>{3, 4, 5, 6}));
  EXPECT_EQ(parameters.w, (std::vector<double>{20, 0, 0, 0, 21, 0, 0, 0}));
  EXPECT_EQ(mass, (std::vector<double>{5, 7}));
  EXPECT_FALSE(prune(parameters, mass, 1e-3));
  EXPECT_EQ(parameters_of(model_of(parameters, mass)).w, parameters.w);
}

TEST(LsbStochastic, BatchesComeCloseToTheWholeAndItsBoundNeverFalls) {
  const CandidateItems items = blobs_with_candidates(1500, 1);
  SupersetOptions options = few_iterations(20);
  const double whole = accuracy(fit(items, options).model, items);
  options.batch = 200;
  const LsbFit found = fit(items, options);
  ASSERT_GT(found.summary.iterations(), 2U);
  expect_no_fall(found.summary);
  EXPECT_GT(accuracy(found.model, items), whole - 0.1);
  RunContext two;
  StartedThreads started(2);
  two.threads = started;
  EXPECT_EQ(fit(items, options, two).model, found.model);
}

TEST(LsbUpdate, MoreRowsOfTheSameKindHelpOrDoNoHarm) {
  const CandidateItems all = blobs_with_candidates(1200, 1);
  std::vector<std::uint32_t> first(400), rest(800);
  std::iota(first.begin(), first.end(), 0U);
  std::iota(rest.begin(), rest.end(), 400U);
  const CandidateItems before = rows_of(all, first);
  const CandidateItems more = rows_of(all, rest);
  const SupersetOptions options = few_iterations(30);
  const LsbFit old = fit(before, options);
  const LsbFit updated = update_lsb_cmm(old.model, more, more.features.values, options, {});
  EXPECT_GE(accuracy(updated.model, all), accuracy(old.model, all) - 0.01);
  double mass = 0.0;
  for (const double m : updated.model.mass) mass += m;
  EXPECT_NEAR(mass, 1200.0, 0.1);
  // No rows, no change.
  const CandidateItems none = rows_of(all, std::vector<std::uint32_t>{});
  EXPECT_EQ(update_lsb_cmm(old.model, none, {}, options, {}).model, old.model);
}

TEST(LsbUpdate, RowsOfAnotherShapeAreRefused) {
  const CandidateItems items = blobs_with_candidates(100, 1);
  const LsbFit old = fit(items, few_iterations(2));
  CandidateItems other = items;
  other.classes.push_back("c6");
  try {
    update_lsb_cmm(old.model, other, other.features.values, {}, {});
    FAIL();
  } catch (const Error& error) {
    EXPECT_STREQ(error.what(), "6 classes and 4 features do not fit a model of 5 and 4");
  }
}

// Three extra candidates of five: the plain evidence leads the mixture astray, that of neighbours does not.
TEST(NeighbourEvidenceSlow, MakesThreeExtraCandidatesBearable) {
  const CandidateItems all = blobs_with_candidates(1000, 3);
  std::vector<std::uint32_t> training(700), rest(300);
  std::iota(training.begin(), training.end(), 0U);
  std::iota(rest.begin(), rest.end(), 700U);
  const CandidateItems items = rows_of(all, training);
  const CandidateItems unseen = rows_of(all, rest);
  const Evidence sharper =
      evidence_of_neighbours(evidence_of(items, 0.0), items.features.values, items.features.dimensions(), 10, {});
  CandidateItems weighted = items;
  for (std::size_t n = 0; n < items.rows(); ++n) {
    for (const std::uint32_t l : items.candidates(n)) weighted.weight.push_back(sharper.row(n)[l]);
  }
  const LsbFit found = fit(weighted, few_iterations(60));
  expect_no_fall(found.summary);
  EXPECT_GT(accuracy(found.model, unseen), 0.83);
}

}  // namespace
}  // namespace motet::superset::lsb_fit_test
