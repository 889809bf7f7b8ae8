#include "motet/judges/tied/dependence.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "judges/tied_votes.h"
#include "motet/judges/estimate.h"
#include "support/cancelled.h"
#include "support/errors.h"
#include "support/threads.h"

namespace motet::judges::dependence_test {
namespace {

constexpr EmRule default_rule{5000, 1e-8, 1.0, true};
constexpr double infinite = std::numeric_limits<double>::infinity();

DependenceFit fit_labels(const std::vector<std::vector<int>>& labels, std::size_t classes,
                         std::span<const double> prior = {}, const RunContext& run = {}) {
  const Votes votes = votes_from(labels, classes);
  const VoteTable table = make_vote_table(votes);
  return fit_dependence(table, prior, default_rule, run, votes.judges);
}

Planted copying_plan() {
  return {.items = 1000,
          .accuracy = {0.7, 0.65, 0.85, 0.75, 0.8},
          .prior = {0.4, 0.6},
          .copier = 1,
          .copied = 0,
          .copying = 0.8};
}

bool has_warning(const DependenceFit& fit, const std::string& part) {
  return std::any_of(fit.warnings.begin(), fit.warnings.end(),
                     [&](const std::string& text) { return text.find(part) != std::string::npos; });
}

// test/golden/judges/expected.json, L_loglin_tied: pattern x has vote (x >> j) & 1 of
// judge j. The numbers come from 168 plain EM steps, which end within 5e-6 of the maximum.
TEST(Dependence, GoldenTiedModel) {
  const std::vector<int> counts = {111, 53, 45, 43, 42, 41, 45, 96,  54, 31, 33, 47, 42, 74, 59, 133,
                                   70,  35, 34, 37, 32, 52, 44, 114, 47, 40, 29, 61, 36, 96, 84, 240};
  const std::vector<double> prior = {0.3, 0.7};
  const std::vector<double> accuracy = {0.7518427395405157, 0.700236663034223, 0.7991312327014288, 0.6458303517317108,
                                        0.5619783800764406};
  const std::vector<double> beta = {0.5952146561537652, 0.4006430117587278, 0.7077530798330501, 0.28026532303740087,
                                    0.01329198289610038};
  const std::vector<double> gamma = {
      0.0036108502695045507, -0.07475499717457865, -0.0064549653041114236, 0.062406675802045126, 0.027113994480540197,
      0.002381383020277511,  0.04838822942766326,  0.024193113615349978,   0.06458047501523191,  0.07982026044403644};
  constexpr double log_likelihood = -6605.895143152698;
  std::vector<std::vector<int>> labels;
  for (int x = 0; x < 32; ++x) {
    std::vector<int> row;
    for (int j = 0; j < 5; ++j) row.push_back(x >> j & 1);
    labels.insert(labels.end(), static_cast<std::size_t>(counts[static_cast<std::size_t>(x)]), row);
  }
  DependenceOptions options;
  options.penalty = {0.0, infinite, 0.0};
  options.pairs.emplace();
  for (std::size_t i = 0; i < 5; ++i) {
    for (std::size_t j = i + 1; j < 5; ++j) options.pairs->push_back({i, j});
  }
  const Votes votes = votes_from(labels, 2);
  const VoteTable table = make_vote_table(votes);
  const DependenceFit fit = fit_dependence(table, prior, {20000, 1e-11, 1.0, true}, {}, {}, options);
  EXPECT_EQ(fit.summary.stop, Stop::converged);
  EXPECT_NEAR(fit.log_likelihood, log_likelihood, 1e-6 * std::abs(log_likelihood));
  EXPECT_GE(fit.log_likelihood, log_likelihood);
  for (std::size_t j = 0; j < 5; ++j) {
    EXPECT_NEAR(fit.dependence.accuracy[j], accuracy[j], 1e-6);
    EXPECT_NEAR(fit.dependence.beta[j], beta[j], 1e-5);
  }
  for (std::size_t p = 0; p < gamma.size(); ++p) EXPECT_NEAR(fit.dependence.pairs[p].gamma, gamma[p], 1e-5);
}

// 0.05 is about three standard errors of an accuracy here; the independent fit is off
// by twice that and more, because the two copies outvote the rest.
TEST(Dependence, FindsTheCopyingPairAndRepairsTheAccuracies) {
  const Planted plan = copying_plan();
  for (const std::uint64_t seed : {1U, 2U, 3U}) {
    const DependenceFit fit = fit_labels(planted_labels(plan, Seed{seed}), 2);
    ASSERT_EQ(fit.dependence.pairs.size(), 1U) << seed;
    const ErrorDependence::Pair& pair = fit.dependence.pairs[0];
    EXPECT_EQ(pair.first, 0U);
    EXPECT_EQ(pair.second, 1U);
    EXPECT_GT(pair.gamma, 0.8);
    EXPECT_NEAR(pair.correlation, 0.8, 0.1);
    EXPECT_GT(pair.bic_gain, 20.0);
    EXPECT_GT(fit.log_likelihood, fit.independent_log_likelihood);
    EXPECT_LT(fit.dependence.effective_judges, 4.2);
    EXPECT_GT(fit.dependence.effective_judges, 3.4);
    const std::vector<double> truth = {0.7, 0.8 * 0.7 + 0.2 * 0.65, 0.85, 0.75, 0.8};
    for (std::size_t j = 0; j < 5; ++j) EXPECT_NEAR(fit.dependence.accuracy[j], truth[j], 0.05) << seed << ' ' << j;
    EXPECT_TRUE(has_warning(fit, "judges 'judge1' and 'judge2' err together"));
    EXPECT_FALSE(has_warning(fit, "errors depend on the class"));
  }
}

TEST(Dependence, FindsCopiesAmongFourClassesWithMissingVotes) {
  Planted plan = copying_plan();
  plan.prior = {0.25, 0.25, 0.25, 0.25};
  plan.accuracy = {0.7, 0.65, 0.85, 0.75, 0.8, 0.6, 0.7};
  plan.left_out = 0.3;
  const DependenceFit fit = fit_labels(planted_labels(plan, Seed{4}), 4);
  ASSERT_EQ(fit.dependence.pairs.size(), 1U);
  EXPECT_EQ(pairs_of(fit.dependence)[0], (ErrorPair{0, 1}));
  EXPECT_GT(fit.dependence.shared_errors[0], 0.5);
  EXPECT_EQ(fit.dependence.shared_errors[2], 0.0);
}

TEST(Dependence, FindsNothingAmongIndependentJudges) {
  Planted plan = copying_plan();
  plan.copying = 0.0;
  for (const std::uint64_t seed : {5U, 6U, 7U, 8U}) {
    const DependenceFit fit = fit_labels(planted_labels(plan, Seed{seed}), 2);
    EXPECT_TRUE(fit.dependence.pairs.empty()) << seed;
    EXPECT_NEAR(fit.dependence.effective_judges, 5.0, 1e-12);
    EXPECT_TRUE(fit.warnings.empty()) << seed << fit.warnings.front();
    EXPECT_EQ(fit.log_likelihood, fit.independent_log_likelihood);
  }
}

// Standard errors are as wide as the spread over repetitions, within a factor that forty
// repetitions can tell.
TEST(Dependence, PrecisionIsThatOfRepetition) {
  Planted plan = copying_plan();
  plan.items = 2000;
  const std::vector<double> truth = {0.7, 0.69, 0.85, 0.75, 0.8};
  double standardised = 0.0;
  constexpr int repetitions = 40;
  for (int r = 0; r < repetitions; ++r) {
    const DependenceFit fit = fit_labels(planted_labels(plan, Seed{100U + static_cast<std::uint64_t>(r)}), 2);
    for (std::size_t j = 0; j < 5; ++j) {
      const double error = standard_error(fit.dependence.accuracy[j], fit.accuracy_votes[j]);
      standardised += std::pow((fit.dependence.accuracy[j] - truth[j]) / error, 2.0);
    }
    EXPECT_GT(fit.prior_votes[0], 0.0);
    EXPECT_LT(fit.prior_votes[0], 2000.0);
  }
  EXPECT_NEAR(standardised / (5.0 * repetitions), 1.0, 0.4);
}

TEST(Dependence, IdenticalJudgesDoNotBlowUp) {
  Planted plan = copying_plan();
  plan.copying = 1.0;
  plan.accuracy = {0.7, 0.65, 0.85, 0.75, 0.8, 0.75, 0.7, 0.8};
  const DependenceFit fit = fit_labels(planted_labels(plan, Seed{9}), 2);
  ASSERT_EQ(fit.dependence.pairs.size(), 1U);
  EXPECT_EQ(pairs_of(fit.dependence)[0], (ErrorPair{0, 1}));
  EXPECT_LT(fit.dependence.pairs[0].gamma, 4.0);
  EXPECT_GT(fit.dependence.pairs[0].correlation, 0.95);
  EXPECT_NEAR(fit.dependence.accuracy[0], 0.7, 0.05);
  EXPECT_NEAR(fit.dependence.accuracy[0], fit.dependence.accuracy[1], 0.01);
}

TEST(Dependence, OrderOfJudgesDoesNotMatter) {
  const auto labels = planted_labels(copying_plan(), Seed{10});
  const std::vector<std::size_t> order = {3, 1, 4, 0, 2};
  auto permuted = labels;
  for (std::size_t i = 0; i < labels.size(); ++i) {
    for (std::size_t j = 0; j < order.size(); ++j) permuted[i][j] = labels[i][order[j]];
  }
  const DependenceFit a = fit_labels(labels, 2);
  const DependenceFit b = fit_labels(permuted, 2);
  EXPECT_EQ(pairs_of(b.dependence), (std::vector<ErrorPair>{{1, 3}}));
  EXPECT_NEAR(a.log_likelihood, b.log_likelihood, 1e-5);
  for (std::size_t j = 0; j < order.size(); ++j) {
    EXPECT_NEAR(b.dependence.accuracy[j], a.dependence.accuracy[order[j]], 1e-5);
  }
}

TEST(Dependence, SameBitsForAnyNumberOfThreads) {
  Planted plan = copying_plan();
  plan.items = 3000;
  plan.prior = {0.3, 0.3, 0.4};
  plan.accuracy = {0.7, 0.65, 0.85, 0.75, 0.8, 0.6, 0.7, 0.75};
  plan.left_out = 0.2;
  const auto labels = planted_labels(plan, Seed{12});
  RunContext run;
  run.threads = {1};
  const DependenceFit one = fit_labels(labels, 3, {}, run);
  ASSERT_GT(make_vote_table(votes_from(labels, 3)).leaf_count(), 4U);
  for (const unsigned threads : {2U, 4U}) {
    StartedThreads started(threads);
    run.threads = started;
    const DependenceFit other = fit_labels(labels, 3, {}, run);
    EXPECT_EQ(one.dependence.beta, other.dependence.beta);
    EXPECT_EQ(one.dependence.accuracy, other.dependence.accuracy);
    EXPECT_EQ(one.accuracy_votes, other.accuracy_votes);
    EXPECT_EQ(one.log_likelihood, other.log_likelihood);
    EXPECT_EQ(one.warnings, other.warnings);
  }
}

TEST(Dependence, KnownLabelsAreHonoured) {
  // Three judges and equal classes tell nothing of pairs, but known labels do.
  Planted plan = copying_plan();
  plan.accuracy = {0.7, 0.65, 0.8};
  plan.prior = {0.5, 0.5};
  const auto labels = planted_labels(plan, Seed{13});
  Votes votes = votes_from(labels, 2);
  votes.known.assign(votes.item_count(), Votes::unknown);
  // The third judge's labels serve as truth: then that judge is always right.
  for (std::size_t i = 0; i < votes.item_count(); ++i) votes.known[i] = labels[i][2];
  const VoteTable table = make_vote_table(votes);
  const DependenceFit fit = fit_dependence(table, std::vector<double>{0.5, 0.5}, default_rule, {}, votes.judges);
  EXPECT_TRUE(fit.checkable);
  EXPECT_GT(fit.dependence.accuracy[2], 0.999);
  double agreed = 0.0;
  for (const auto& row : labels) agreed += row[0] == row[2] ? 1.0 : 0.0;
  EXPECT_NEAR(fit.dependence.accuracy[0], agreed / 1000.0, 1e-3);
  EXPECT_EQ(pairs_of(fit.dependence), (std::vector<ErrorPair>{{0, 1}}));
}

TEST(Dependence, ThreeJudgesAndEqualClassesCannotBeChecked) {
  Planted plan = copying_plan();
  plan.accuracy = {0.7, 0.65, 0.8};
  plan.prior = {0.5, 0.5};
  const DependenceFit fit = fit_labels(planted_labels(plan, Seed{14}), 2, plan.prior);
  EXPECT_FALSE(fit.checkable);
  EXPECT_TRUE(fit.dependence.pairs.empty());
  EXPECT_TRUE(has_warning(fit,
                          "dependence cannot be checked with three judges and equally frequent classes; add a judge, "
                          "known labels or a known and unequal class prior"));
  // An estimated prior that comes out equal tells no more.
  EXPECT_FALSE(fit_labels(planted_labels(plan, Seed{14}), 2).checkable);
}

TEST(Dependence, ErrorsThatDependOnTheClassAreNamed) {
  Planted plan = copying_plan();
  plan.copying = 0.0;
  plan.gap = 0.3;
  plan.accuracy = {0.75, 0.7, 0.8, 0.75, 0.8, 0.75};
  plan.items = 2000;
  const DependenceFit fit = fit_labels(planted_labels(plan, Seed{15}), 2);
  EXPECT_GT(fit.by_class_gain, 10.0);
  EXPECT_TRUE(has_warning(fit, "errors depend on the class"));
}

TEST(Dependence, FewJudgesLeaveTwoReadings) {
  Planted plan = copying_plan();
  plan.items = 200;
  plan.accuracy = {0.7, 0.65, 0.8};
  plan.prior = {0.3, 0.7};
  const DependenceFit fit = fit_labels(planted_labels(plan, Seed{51}), 2);
  ASSERT_TRUE(fit.rival.has_value());
  EXPECT_EQ(fit.rival->pair, (ErrorPair{0, 1}));
  EXPECT_NEAR(fit.rival->accuracy[0], 0.7, 0.15);
  EXPECT_TRUE(has_warning(fit, "another reading fits nearly as well: judges 'judge1' and 'judge2' err together"));
}

TEST(Dependence, TwinsAmongFewJudgesAreNamed) {
  Planted plan = copying_plan();
  plan.items = 100;
  plan.accuracy = {0.7, 0.65, 0.8, 0.75};
  plan.copying = 1.0;
  const DependenceFit fit = fit_labels(planted_labels(plan, Seed{50}), 2);
  ASSERT_TRUE(fit.dependence.pairs.empty());
  EXPECT_TRUE(
      has_warning(fit,
                  "judges 'judge1' and 'judge2' agree on 100 of 100 shared items and with nobody else nearly as "
                  "often: either both are nearly always right, as is assumed here, or one copies the other"));
}

TEST(Dependence, TwoJudgesAreRefused) {
  Planted plan = copying_plan();
  plan.accuracy = {0.7, 0.65};
  const auto labels = planted_labels(plan, Seed{16});
  EXPECT_EQ(error_of([&] { fit_labels(labels, 2); }, ErrorKind::unanswerable),
            "whether judges err together cannot be told from the votes of two: at least three must label the same "
            "items; add judges, known labels, or a known and unequal class prior");
  EXPECT_NO_THROW(fit_labels(labels, 2, plan.prior));
}

TEST(Dependence, CancellationEndsTheSearch) {
  EXPECT_EQ(error_of([&] { fit_labels(planted_labels(copying_plan(), Seed{17}), 2, {}, cancelled_run()); },
                     ErrorKind::interrupted),
            "interrupted while looking for dependent judges");
}

TEST(Dependence, EstimateCarriesItThroughTheModelFile) {
  const Votes votes = votes_from(planted_labels(copying_plan(), Seed{18}), 2);
  JudgesOptions options;
  options.noise = JudgeNoise::symmetric;
  options.dependence = JudgeDependence::pairwise;
  const JudgesFit fit = estimate_judges(votes, options, {});
  ASSERT_TRUE(fit.model.dependence.has_value());
  EXPECT_EQ(fit.interval_source, "outer products of the score");
  EXPECT_LT(fit.prior[0].low, fit.prior[0].high);
  const JudgesModel back = judges_from_record(to_record(fit.model));
  ASSERT_TRUE(back.dependence.has_value());
  EXPECT_EQ(back.dependence->beta, fit.model.dependence->beta);
  EXPECT_EQ(back.dependence->shared_errors, fit.model.dependence->shared_errors);
  EXPECT_EQ(pairs_of(*back.dependence), pairs_of(*fit.model.dependence));
}

}  // namespace
}  // namespace motet::judges::dependence_test
