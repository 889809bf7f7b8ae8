#include "motet/superset/lsb_cmm/lsb_stochastic.h"

#include <gtest/gtest.h>

#include "superset/candidate_cases.h"
#include "superset/lsb_cases.h"
#include "support/errors.h"
#include "support/threads.h"

namespace motet::superset::lsb_stochastic_test {
namespace {

TEST(LsbStochastic, BatchesComeCloseToTheWholeAndItsBoundNeverFalls) {
  const CandidateItems items = blobs_with_candidates(1500, 1);
  SupersetOptions options = few_iterations(20);
  const double whole = accuracy(fit_as_usual(items, options).model, items);
  options.batch = 200;
  const LsbFit found = fit_as_usual(items, options);
  ASSERT_GT(found.summary.iterations(), 2U);
  expect_no_fall(found.summary);
  EXPECT_GT(accuracy(found.model, items), whole - 0.1);
  RunContext two;
  StartedThreads started(2);
  two.threads = started;
  EXPECT_EQ(fit_as_usual(items, options, two).model, found.model);
}

TEST(LsbUpdate, MoreRowsOfTheSameKindHelpOrDoNoHarm) {
  const CandidateItems all = blobs_with_candidates(1200, 1);
  const CandidateItems before = rows_between(all, 0, 400);
  const CandidateItems more = rows_between(all, 400, 1200);
  const SupersetOptions options = few_iterations(30);
  const LsbFit old = fit_as_usual(before, options);
  const LsbFit updated = update_lsb_cmm(old.model, more, more.features.values, options, {});
  EXPECT_GE(accuracy(updated.model, all), accuracy(old.model, all) - 0.01);
  double mass = 0.0;
  for (const double m : updated.model.mass) mass += m;
  EXPECT_NEAR(mass, 1200.0, 0.1);
  // No rows, no change.
  const CandidateItems none = rows_between(all, 0, 0);
  EXPECT_EQ(update_lsb_cmm(old.model, none, {}, options, {}).model, old.model);
}

TEST(LsbUpdate, RowsOfAnotherShapeAreRefused) {
  const CandidateItems items = blobs_with_candidates(100, 1);
  const LsbFit old = fit_as_usual(items, few_iterations(2));
  CandidateItems other = items;
  other.classes.push_back("c6");
  EXPECT_EQ(error_of([&] { update_lsb_cmm(old.model, other, other.features.values, {}, {}); }),
            "6 classes and 4 features do not fit a model of 5 and 4");
}

// By class: what the concentrations of all components hold beyond `before`.
std::vector<double> gained(const LsbCmm& model, const std::vector<double>& before) {
  std::vector<double> sum(model.classes);
  for (std::size_t i = 0; i < model.concentration.size(); ++i)
    sum[i % model.classes] += model.concentration[i] - before[i];
  return sum;
}

std::vector<double> items_by_class(const CandidateItems& items) {
  std::vector<double> count(items.classes.size());
  for (const std::uint32_t l : items.label) count[l] += 1.0;
  return count;
}

// Whatever the components do, items of one candidate give each class as many counts as it has items.
TEST(LsbStochastic, ItemsOfOneCandidateAreCountedOnce) {
  const CandidateItems items = blobs_with_candidates(600, 0);
  SupersetOptions options = few_iterations(5);
  options.batch = 100;
  const LsbFit found = fit_as_usual(items, options);
  const std::vector<double> prior(found.model.concentration.size(), options.alpha);
  const std::vector<double> counts = gained(found.model, prior), wanted = items_by_class(items);
  // Components that were taken out held less than 0.001 items each.
  for (std::size_t l = 0; l < wanted.size(); ++l) EXPECT_NEAR(counts[l], wanted[l], 0.025) << l;
}

TEST(LsbUpdate, ItemsOfOneCandidateAreCountedOnce) {
  const CandidateItems items = blobs_with_candidates(200, 0), more = blobs_with_candidates(150, 0, 11);
  const LsbFit old = fit_as_usual(items, few_iterations(5));
  const LsbFit updated = update_lsb_cmm(old.model, more, more.features.values, few_iterations(5), {});
  const std::vector<double> counts = gained(updated.model, old.model.concentration), wanted = items_by_class(more);
  for (std::size_t l = 0; l < wanted.size(); ++l) EXPECT_NEAR(counts[l], wanted[l], 1e-9) << l;
  EXPECT_EQ(updated.summary.stop, Stop::converged);
}

TEST(LsbUpdate, WhatIsCancelledIsTheModelAsItWas) {
  const CandidateItems items = blobs_with_candidates(100, 1);
  const LsbFit old = fit_as_usual(items, few_iterations(2));
  CancelFlag flag;
  flag.set(2);
  RunContext run;
  run.cancel = &flag;
  const LsbFit updated = update_lsb_cmm(old.model, items, items.features.values, {}, run);
  EXPECT_EQ(updated.summary.stop, Stop::interrupted);
  EXPECT_EQ(updated.model, old.model);
}

}  // namespace
}  // namespace motet::superset::lsb_stochastic_test
