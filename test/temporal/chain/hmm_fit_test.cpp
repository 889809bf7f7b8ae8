#include "motet/temporal/chain/hmm_fit.h"

#include <gtest/gtest.h>

#include <cmath>

#include "motet/temporal/chain/hidden_chain.h"
#include "motet/temporal/fit.h"
#include "support/errors.h"
#include "support/threads.h"
#include "temporal/markov_rows.h"
#include "temporal/row_cases.h"

namespace motet::temporal::hmm_fit_test {
namespace {

constexpr double rounding = 1e-10;

TemporalOptions hmm_options() {
  TemporalOptions options;
  options.method = TemporalMethod::hmm;
  return options;
}

// A separate numpy program that adds up all paths: three steps from a fixed start, without a floor.
TEST(HmmFit, StepsAreThoseOfAnIndependentProgram) {
  Features features = features_of(1, {0.1, -0.4, 0.3, 2.1, 1.7, 2.6, 2.2, -0.2, 0.5, 0.0, 1.9, 2.4, 2.0, 1.5, 0.2});
  features.starts = {0, 12, 15};
  features.sequences = {"a", "b"};
  Mixture mixture;
  mixture.columns = features.columns;
  mixture.components = {{{0.0}, {1.0}, 0.5, -1}, {{1.0}, {0.5}, 0.5, -1}};
  mixture.chain = {{0.5, 0.5}, {0.9, 0.1, 0.2, 0.8}};
  const GlobalShape global = global_shape(features, 0.0, {1});
  const RowLabels none;
  const EmProblem problem = hmm_problem(features, none, global, 0.0, {1}, mixture);
  EmRule rule{.max_iterations = 4, .tolerance = 0.0};
  const EmResult result = run_em(problem, hmm_parameters(mixture), rule, run_with(1));
  const std::vector<double> expected{-1.94386607317139, -1.60151326365233, -1.57620076878892, -1.53951218219650};
  ASSERT_EQ(result.summary.objective.size(), expected.size());
  for (std::size_t i = 0; i < expected.size(); ++i) EXPECT_NEAR(result.summary.objective[i] / 15.0, expected[i], 1e-12);
  set_hmm_parameters(result.parameters, mixture);
  EXPECT_NEAR(mixture.components[0].mean[0], 0.347964314752285, 1e-12);
  EXPECT_NEAR(mixture.components[1].mean[0], 1.543363538408254, 1e-12);
  EXPECT_NEAR(mixture.components[0].covariance[0], 0.551842357750788, 1e-12);
  EXPECT_NEAR(mixture.components[1].covariance[0], 0.851134444842416, 1e-12);
  EXPECT_NEAR(mixture.chain.start[0], 0.506778585088071, 1e-12);
  EXPECT_NEAR(mixture.chain.transition[1], 0.436026304069037, 1e-12);
  EXPECT_NEAR(mixture.chain.transition[2], 0.213202463799996, 1e-12);
}

TEST(HmmFit, ObjectiveNeverFalls) {
  for (std::uint64_t seed = 1; seed <= 3; ++seed) {
    const MarkovRows rows = markov_rows(3, 120, 3, 12.0, 1.5, seed);
    TemporalOptions options = hmm_options();
    options.max_iterations = 40;
    options.tolerance = 1e-12;
    const TemporalFit fit = fit_temporal(rows.features, 3, {}, {}, options, run_with(1));
    EXPECT_TRUE(fit.summary.warnings.empty());
    EXPECT_GT(fit.summary.iterations(), 5U);
    for (std::size_t i = 1; i < fit.summary.objective.size(); ++i) {
      EXPECT_GE(fit.summary.objective[i], fit.summary.objective[i - 1] - rounding) << seed << " step " << i;
    }
  }
}

TEST(HmmFit, SameBitsOnAnyNumberOfThreads) {
  const MarkovRows rows = markov_rows(60, 400, 2, 20.0, 2.0, 5);  // 23 leaves
  TemporalOptions options = hmm_options();
  options.max_iterations = 4;
  options.starts = 1;
  const TemporalFit one = fit_temporal(rows.features, 2, {}, {}, options, run_with(1));
  for (const unsigned threads : {2U, 4U}) {
    const TemporalFit more = fit_temporal(rows.features, 2, {}, {}, options, run_with(1, StartedThreads(threads)));
    EXPECT_EQ(hmm_parameters(more.mixture), hmm_parameters(one.mixture));
    EXPECT_EQ(more.summary.objective, one.summary.objective);
    EXPECT_EQ(more.probability, one.probability);
    EXPECT_EQ(more.likelihood.bic, one.likelihood.bic);
  }
}

// Sequences in another order, and components with other numbers.
TEST(HmmFit, OrderOfSequencesAndNumbersOfComponentsDoNotMatter) {
  const MarkovRows rows = markov_rows(4, 100, 2, 15.0, 2.0, 6);
  Features turned = rows.features;
  std::vector<std::uint8_t> states = rows.states;
  for (std::size_t s = 0; s < 4; ++s) {
    std::copy_n(rows.features.values.begin() + static_cast<std::ptrdiff_t>(200 * s), 200,
                turned.values.begin() + static_cast<std::ptrdiff_t>(200 * (3 - s)));
    std::copy_n(rows.states.begin() + static_cast<std::ptrdiff_t>(100 * s), 100,
                states.begin() + static_cast<std::ptrdiff_t>(100 * (3 - s)));
  }
  const GlobalShape global = global_shape(rows.features, 1e-6, {1});
  Mixture mixture;
  mixture.columns = rows.features.columns;
  mixture.components = some_components(2, 2, 1);
  Mixture swapped = mixture;
  std::swap(swapped.components[0], swapped.components[1]);
  for (std::uint8_t& state : states) state = static_cast<std::uint8_t>(1 - state);
  const StaticRule rule{0.0, 60, 0.0};
  const FitSummary one = fit_hmm(rows.features, {}, global, rule, rows.states, run_with(1), mixture);
  const FitSummary other = fit_hmm(turned, {}, global, rule, states, run_with(1), swapped);
  EXPECT_NEAR(one.objective.back(), other.objective.back(), 1e-9);
  EXPECT_NEAR(mixture.chain.transition[1], swapped.chain.transition[2], 1e-7);
  EXPECT_NEAR(mixture.components[0].mean[0], swapped.components[1].mean[0], 1e-7);
}

TEST(HmmFit, FindsWhatWasPlanted) {
  const MarkovRows rows = markov_rows(10, 500, 3, 25.0, 3.0, 8);
  const TemporalFit fit = fit_temporal(rows.features, 3, {}, {}, hmm_options(), run_with(1));
  // Standard error of a chance to leave of 0.04, from some 1,670 rows per state: 0.0048; 5 of them are not by luck in
  // any of nine entries.
  for (std::size_t j = 0; j < 3; ++j) {
    for (std::size_t k = 0; k < 3; ++k) {
      EXPECT_NEAR(fit.mixture.chain.transition[j * 3 + k], j == k ? 0.96 : 0.02, 5.0 * 0.0048);
    }
  }
  const double radius = 3.0 / std::sqrt(3.0);
  for (const Component& component : fit.mixture.components) {
    // Means to 1 / sqrt(1670) = 0.025.
    EXPECT_NEAR(std::hypot(component.mean[0], component.mean[1]), radius, 5.0 * 0.025);
  }
  EXPECT_LT(share_wrong(rows.states, fit.states, 3), 0.02);
  EXPECT_LT(share_wrong(rows.states, fit.path, 3), 0.02);
}

TEST(HmmFit, LabelledRowsStayInTheirClass) {
  const MarkovRows rows = markov_rows(2, 150, 2, 12.0, 1.5, 9);
  RowLabels labels(300, -1);
  for (std::size_t n = 0; n < 300; n += 11) labels[n] = rows.states[n];
  const TemporalFit fit = fit_temporal(rows.features, 2, {"a", "b"}, labels, hmm_options(), run_with(1));
  for (std::size_t n = 0; n < 300; n += 11) {
    EXPECT_EQ(fit.mixture.components[fit.states[n]].of_class, labels[n]);
    EXPECT_EQ(fit.mixture.components[fit.path[n]].of_class, labels[n]);
    EXPECT_NEAR(fit.probability[n], 1.0, 1e-12);
  }
}

TEST(HmmFit, TheModelFindsTheSameAgain) {
  const MarkovRows rows = markov_rows(2, 150, 2, 12.0, 2.0, 10);
  const TemporalFit fit = fit_temporal(rows.features, 2, {}, {}, hmm_options(), run_with(1));
  const TemporalStates again = assign_temporal(rows.features, fit.mixture, Inference::icm, run_with(1));
  EXPECT_EQ(again.states, fit.states);
  EXPECT_EQ(again.path, fit.path);
  EXPECT_EQ(again.probability, fit.probability);
  EXPECT_EQ(again.objective, *fit.likelihood.a_row);
  EXPECT_EQ(again.kind, ObjectiveKind::log_likelihood);
  EXPECT_EQ(fit.likelihood.parameters, 2U * 2 + 2U * 3 + 1U + 2U);
  EXPECT_NEAR(*fit.likelihood.bic, 13.0 * std::log(300.0) - 2.0 * 300.0 * again.objective, 1e-9);
}

TEST(HmmFit, OneComponentIsTheGaussianOfAllRows) {
  const MarkovRows rows = markov_rows(1, 80, 2, 12.0, 2.0, 11);
  TemporalOptions still;
  const TemporalFit expected = fit_temporal(rows.features, 1, {}, {}, still, run_with(1));
  const TemporalFit fit = fit_temporal(rows.features, 1, {}, {}, hmm_options(), run_with(1));
  EXPECT_NEAR(*fit.likelihood.a_row, *expected.likelihood.a_row, 1e-9);
  EXPECT_EQ(fit.likelihood.parameters, expected.likelihood.parameters);
}

TEST(HmmFit, RefusesWhatBelongsToAField) {
  TemporalOptions options = hmm_options();
  options.radius = 2;
  EXPECT_EQ(error_of([&] { fit_temporal(clustered_rows(50, 2, 2, 3.0, 1), 2, {}, {}, options, {}); }, ErrorKind::usage),
            "--method hmm takes neither a radius nor an image; they belong to --method field");
}

}  // namespace
}  // namespace motet::temporal::hmm_fit_test
