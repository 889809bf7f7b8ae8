#include "motet/superset/lsb_cmm/lsb_fit.h"

#include <gtest/gtest.h>

#include <cmath>
#include <optional>

#include "motet/base/error.h"
#include "superset/lsb_cases.h"
#include "support/errors.h"
#include "support/threads.h"

namespace motet::superset::lsb_fit_test {
namespace {

TEST(LsbFit, TheBoundNeverFalls) {
  for (const double alpha : {1e-6, 0.05, 2.0}) {
    for (const double outside : {0.0, 0.05}) {
      CandidateItems items = blobs_with_candidates(150, 2);
      items.outside = outside;
      SupersetOptions options = few_iterations(20);
      options.alpha = alpha;
      const LsbFit found = fit_as_usual(items, options);
      EXPECT_GT(found.summary.iterations(), 5U);
      expect_no_fall(found.summary);
    }
  }
}

TEST(LsbFit, TheSameBytesOnAnyNumberOfThreads) {
  const CandidateItems items = blobs_with_candidates(1500, 2);
  RunContext run;
  run.threads = {1};
  const LsbFit one = fit_as_usual(items, few_iterations(3), run);
  for (const unsigned count : {2U, 4U}) {
    StartedThreads started(count);
    run.threads = started;
    const LsbFit other = fit_as_usual(items, few_iterations(3), run);
    EXPECT_EQ(other.model, one.model) << count;
    EXPECT_EQ(other.summary.objective, one.summary.objective) << count;
  }
}

TEST(LsbFit, ClustersOfAClassAreFound) {
  const CandidateItems items = blobs_with_candidates(600, 1);
  const LsbFit found = fit_as_usual(items, few_iterations(60));
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

TEST(LsbFit, StopsWhenAskedAndGoesOnFromACheckpoint) {
  const CandidateItems items = blobs_with_candidates(300, 1);
  SupersetOptions options = few_iterations(12);
  options.tolerance = 0.0;
  const LsbFit whole = fit_as_usual(items, options);
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
  EXPECT_EQ(fit_as_usual(items, options, run).summary.stop, Stop::interrupted);
  ASSERT_TRUE(kept.has_value());
  RunContext again;
  again.resume = [&](std::string_view stage) { return stage == kept->stage ? &*kept : nullptr; };
  const LsbFit resumed = fit_as_usual(items, options, again);
  EXPECT_EQ(resumed.summary.objective, whole.summary.objective);
  EXPECT_EQ(resumed.model, whole.model);
  CandidateItems other = blobs_with_candidates(300, 1);
  other.classes.push_back("c6");
  try {
    fit_as_usual(other, options, again);
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
  // Without the last component the one before it takes what is left, and has no logit any more.
  mass = {5.0, 0.0};
  EXPECT_TRUE(prune(parameters, mass, 1e-3));
  EXPECT_EQ(parameters.a, (std::vector<double>{3, 4}));
  EXPECT_EQ(parameters.w, std::vector<double>(8, 0.0));
  mass = {0.0};
  EXPECT_FALSE(prune(parameters, mass, 1e-3));  // one stays
}

}  // namespace
}  // namespace motet::superset::lsb_fit_test
