#include "motet/multilabel/predict.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <numeric>
#include <thread>

#include "motet/base/error.h"
#include "motet/multilabel/calibration.h"
#include "multilabel/search_cases.h"
#include "support/errors.h"
#include "support/threads.h"

namespace motet::multilabel::predict_test {
namespace {

constexpr double rounding = 1e-9;

NumberTable random_items(const MultilabelModel& model, std::size_t rows, Rng& rng) {
  NumberTable features;
  features.columns = model.preparation.columns;
  for (std::size_t i = 0; i < rows * features.dimensions(); ++i) features.values.push_back(3.0 * rng.normal());
  return features;
}

// As its sources emit them.
NumberTable emitted_items(const MultilabelModel& model, std::size_t rows, Rng& rng) {
  NumberTable features = random_items(model, 0, rng);
  for (std::size_t n = 0; n < rows; ++n) {
    for (const double value : random_item(model, 0.3, rng)) features.values.push_back(value);
  }
  return features;
}

MultilabelModel small_model(bool background = false) {
  Rng rng(Seed{3});
  return random_model({.covariance = Covariance::diagonal, .background = background}, 6, 4, 3, 0.7, rng);
}

TEST(Predict, ReadsWhatTheCandidatesAre) {
  EXPECT_EQ(candidate_rule("auto").kind, CandidateKind::trained);
  EXPECT_EQ(candidate_rule("observed").kind, CandidateKind::observed);
  EXPECT_EQ(candidate_rule("all").kind, CandidateKind::all);
  EXPECT_EQ(candidate_rule("degree:3").kind, CandidateKind::degree);
  EXPECT_EQ(candidate_rule("degree:3").degree, 3U);
  for (const char* text : {"degree:", "degree:0", "degree:-1", "degree:2x", "some", ""}) {
    EXPECT_EQ(error_of([&] { candidate_rule(text); }, ErrorKind::usage),
              "--candidates: '" + std::string(text) +
                  "' is not known; 'auto', 'observed', 'degree:M' with M of at least 1, or 'all' is allowed");
  }
}

// Log-linear training weighs all sets by default; what is told is what all 2^6 sets say one by one.
TEST(Predict, LogLinearModelsFindSetsThatWereNeverSeen) {
  MultilabelModel model = small_model(true);
  model.options.method = Training::log_linear;
  Rng rng(Seed{8});
  model.linear = LinearWeights{6, 4, std::vector<double>(30), {}};
  for (double& w : model.linear->weights) w = 2.0 * rng.normal();
  NumberTable features{{"x1", "x2", "x3", "x4"}, {}, {}, 0};
  for (int i = 0; i < 160; ++i) features.values.push_back(rng.normal());
  model.preparation.columns = features.columns;
  const BitMatrix every = enumerate_sets(6, 6, true);
  const std::vector<double> scores = log_densities(model, every, features.values, {1});
  const std::vector<double> log_prior = log_priors(model.prior, every);
  const SetPredictions said = predict(model, features, {.candidates = {}, .best = 2}, {});
  const SetPredictions by_label =
      predict(model, features, {.candidates = {CandidateKind::all, 0}, .decision = Decision::hamming}, {});
  std::size_t novel = 0;
  for (std::size_t n = 0; n < features.rows(); ++n) {
    std::vector<double> joint;
    double total = 0.0;
    std::vector<double> marginal(6, 0.0);
    for (std::size_t j = 0; j < every.rows(); ++j) {
      joint.push_back(std::exp(log_prior[j] + scores[n * every.rows() + j]));
      total += joint.back();
      for_each_bit(every.row(j), [&](std::size_t k) { marginal[k] += joint.back(); });
    }
    const auto best = static_cast<std::size_t>(std::max_element(joint.begin(), joint.end()) - joint.begin());
    EXPECT_TRUE(std::ranges::equal(said.sets.row(n), every.row(best)));
    EXPECT_NEAR(said.posterior[n], joint[best] / total, 1e-9);
    EXPECT_EQ(said.novel[n] != 0, find_set(model.prior.sets, every.row(best)) == no_set);
    EXPECT_TRUE(std::ranges::equal(said.candidates.row(said.ranked[n][0].set), every.row(best)));
    novel += said.novel[n];
    for (std::size_t k = 0; k < 6; ++k) {
      EXPECT_NEAR(said.marginal[n * 6 + k], marginal[k] / total, 1e-9);
      EXPECT_EQ(by_label.sets(n, k), marginal[k] / total > 0.5);
    }
    const std::size_t told = find_set(every, by_label.sets.row(n));
    EXPECT_NEAR(by_label.posterior[n], joint[told] / total, 1e-9);
  }
  EXPECT_GT(novel, 3U);
  EXPECT_LT(novel, 40U);
  const SetPredictions seen = predict(model, features, {.candidates = {CandidateKind::observed, 0}}, {});
  for (const std::uint8_t one : seen.novel) EXPECT_EQ(one, 0);
}

TEST(Predict, PosteriorsAreThoseOfBayesRule) {
  for (const bool background : {false, true}) {
    const MultilabelModel model = small_model(background);
    Rng rng(Seed{4});
    const NumberTable features = random_items(model, 30, rng);
    for (const char* kind : {"observed", "degree:2", "all"}) {
      const PredictOptions options{.candidates = candidate_rule(kind), .best = 3};
      const SetPredictions said = predict(model, features, options, {});
      const bool observed = options.candidates.kind == CandidateKind::observed;
      const BitMatrix sets =
          observed ? model.prior.sets
                   : enumerate_sets(6, options.candidates.kind == CandidateKind::degree ? 2 : 6, background);
      for (std::size_t n = 0; n < features.rows(); ++n) {
        std::vector<double> joint;
        for (std::size_t j = 0; j < sets.rows(); ++j) {
          const double prior = observed ? log_share(model.prior, j) : log_prior(model.prior, sets.row(j));
          joint.push_back(std::exp(prior + plain_log_density(model.sources, sets.row(j), features.row(n))));
        }
        const double total = std::accumulate(joint.begin(), joint.end(), 0.0);
        const auto best = static_cast<std::size_t>(std::max_element(joint.begin(), joint.end()) - joint.begin());
        EXPECT_TRUE(std::ranges::equal(said.sets.row(n), sets.row(best)));
        EXPECT_NEAR(said.posterior[n], joint[best] / total, rounding);
        EXPECT_EQ(said.probability[n], said.posterior[n]);  // not calibrated
        EXPECT_NEAR(said.log_likelihood[n], plain_log_density(model.sources, sets.row(best), features.row(n)),
                    rounding);
        ASSERT_EQ(said.ranked[n].size(), 3U);
        EXPECT_EQ(said.ranked[n][0].posterior, said.posterior[n]);
        EXPECT_GE(said.ranked[n][1].posterior, said.ranked[n][2].posterior);
        EXPECT_TRUE(std::ranges::equal(said.candidates.row(said.ranked[n][0].set), sets.row(best)));
        for (std::size_t k = 0; k < 6; ++k) {
          double marginal = 0.0;
          for (std::size_t j = 0; j < sets.rows(); ++j) marginal += sets(j, k) ? joint[j] / total : 0.0;
          EXPECT_NEAR(said.marginal[n * 6 + k], marginal, rounding);
        }
      }
    }
  }
}

TEST(Predict, MaximumLikelihoodLeavesThePriorOut) {
  const MultilabelModel model = small_model();
  Rng rng(Seed{5});
  const NumberTable features = random_items(model, 20, rng);
  const SetPredictions said =
      predict(model, features, {.candidates = {CandidateKind::all, 0}, .decision = Decision::ml}, {});
  const BitMatrix sets = enumerate_sets(6, 6, false);
  for (std::size_t n = 0; n < features.rows(); ++n) {
    for (std::size_t j = 0; j < sets.rows(); ++j) {
      EXPECT_LE(plain_log_density(model.sources, sets.row(j), features.row(n)), said.log_likelihood[n] + rounding);
    }
  }
}

TEST(Predict, HammingTakesTheLabelsMoreLikelyThanNot) {
  const MultilabelModel model = small_model();
  Rng rng(Seed{6});
  const NumberTable features = random_items(model, 200, rng);
  const SetPredictions said = predict(model, features, {.candidates = {}, .decision = Decision::hamming}, {});
  for (std::size_t n = 0; n < features.rows(); ++n) {
    const auto first = said.marginal.begin() + static_cast<std::ptrdiff_t>(n * 6);
    const double highest = *std::max_element(first, first + 6);
    for (std::size_t k = 0; k < 6; ++k) {
      EXPECT_EQ(said.sets(n, k), first[k] > 0.5 || (highest <= 0.5 && first[k] == highest));
    }
    if (find_set(model.prior.sets, said.sets.row(n)) == no_set) {
      EXPECT_EQ(said.posterior[n], 0.0);
    }
    EXPECT_NEAR(said.log_likelihood[n], plain_log_density(model.sources, said.sets.row(n), features.row(n)), rounding);
  }
}

TEST(Predict, HammingNeverGivesASetThatCannotBe) {
  Rng rng(Seed{6});
  const MultilabelModel model = random_model({.covariance = Covariance::diagonal}, 6, 4, 3, 20.0, rng);
  const NumberTable features = random_items(model, 500, rng);
  const SetPredictions all =
      predict(model, features, {.candidates = {CandidateKind::all, 0}, .decision = Decision::hamming}, {});
  const SetPredictions pairs =
      predict(model, features, {.candidates = {CandidateKind::degree, 2}, .decision = Decision::hamming}, {});
  const BitMatrix sets = enumerate_sets(6, 6, false);
  std::size_t none_likely = 0;
  for (std::size_t n = 0; n < features.rows(); ++n) {
    EXPECT_GT(all.sets.count(n), 0U);
    EXPECT_GT(pairs.sets.count(n), 0U);
    EXPECT_LE(pairs.sets.count(n), 2U);
    EXPECT_TRUE(std::isfinite(all.log_likelihood[n]));
    const auto wrong = [&](std::span<const std::uint64_t> set) {
      double expected = 0.0;
      for_each_bit(set, [&](std::size_t k) { expected += 1.0 - 2.0 * all.marginal[n * 6 + k]; });
      return expected;
    };
    for (std::size_t j = 0; j < sets.rows(); ++j) EXPECT_GE(wrong(sets.row(j)), wrong(all.sets.row(n)) - rounding);
    const auto first = all.marginal.begin() + static_cast<std::ptrdiff_t>(n * 6);
    none_likely += std::all_of(first, first + 6, [](double p) { return p <= 0.5; }) ? 1 : 0;
  }
  EXPECT_GT(none_likely, 0U);  // else nothing was tried
  MultilabelModel fresh = model;
  fresh.options.method = Training::fresh;
  fresh.sources = random_model({.covariance = Covariance::diagonal}, fresh.prior.sets.rows(), 4, 3, 0.7, rng).sources;
  const SetPredictions said = predict(fresh, features, {.candidates = {}, .decision = Decision::hamming}, {});
  for (std::size_t n = 0; n < features.rows(); ++n) {
    EXPECT_NE(find_set(fresh.prior.sets, said.sets.row(n)), no_set);
    EXPECT_TRUE(std::isfinite(said.log_likelihood[n]));
  }
}

TEST(Predict, RejectsUnlikelySetsAndFlagsItemsUnlikeTheTrainingItems) {
  MultilabelModel model = small_model();
  model.calibration.intercept = -1.0;
  model.calibration.slope = 0.5;
  model.calibration.density = {{0.01, -30.0}, {0.05, -20.0}};
  Rng rng(Seed{7});
  NumberTable features = random_items(model, 50, rng);
  for (std::size_t d = 0; d < 4; ++d) features.values[d] = 100.0;
  const SetPredictions said =
      predict(model, features, {.candidates = {}, .reject_below = 0.5, .outlier_level = 0.03}, {});
  EXPECT_EQ(said.outlier[0], 1);
  std::size_t rejected = 0;
  for (std::size_t n = 0; n < features.rows(); ++n) {
    EXPECT_EQ(said.probability[n], calibrated(model.calibration, said.posterior[n]));
    EXPECT_EQ(said.rejected[n] != 0, said.probability[n] < 0.5);
    if (said.rejected[n] != 0) {
      EXPECT_EQ(said.sets.count(n), 0U);
    }
    EXPECT_EQ(said.outlier[n] != 0, said.log_evidence[n] < -25.0);
    rejected += said.rejected[n];
  }
  EXPECT_GT(rejected, 0U);
  EXPECT_LT(rejected, 50U);
}

TEST(Predict, ManyLabelsAreSearched) {
  Rng rng(Seed{13});
  const MultilabelModel model = random_model({.covariance = Covariance::shared}, 24, 24, 4, 0.3, rng);
  const NumberTable features = emitted_items(model, 40, rng);
  const PredictOptions options{.candidates = {CandidateKind::all, 0}, .best = 3};
  StartedThreads started(3);
  RunContext run;
  run.threads = started;
  const SetPredictions said = predict(model, features, options, run);
  EXPECT_EQ(said.unproved, 0U);
  for (std::size_t n = 0; n < 40; ++n) {
    ASSERT_EQ(said.ranked[n].size(), 3U);
    EXPECT_TRUE(std::ranges::equal(said.candidates.row(said.ranked[n][0].set), said.sets.row(n)));
    EXPECT_NEAR(said.log_likelihood[n], plain_log_density(model.sources, said.sets.row(n), features.row(n)), 1e-7);
  }
  RunContext one;
  one.threads = {1};
  const SetPredictions again = predict(model, features, options, one);
  EXPECT_EQ(again.posterior, said.posterior);
  EXPECT_EQ(again.candidates, said.candidates);
}

// The items would take minutes: 40 labels with unequal covariances, all sets.
TEST(Predict, StopsWithinAnItem) {
  Rng rng(Seed{13});
  for (const Covariance covariance : {Covariance::diagonal, Covariance::full}) {
    const MultilabelModel model = random_model({.covariance = covariance}, 40, 10, 4, 2.0, rng);
    const NumberTable features = random_items(model, 64, rng);
    CancelFlag cancel;
    RunContext run;
    run.cancel = &cancel;
    std::vector<double> done;
    run.observer = [&](const Progress& progress) { done.push_back(progress.done); };
    {
      const std::jthread clock([&] {
        std::this_thread::sleep_for(std::chrono::milliseconds(50));
        cancel.set(2);
      });
      EXPECT_EQ(error_of(
                    [&] {
                      predict(model, features, {.candidates = {CandidateKind::all, 0}}, run);
                    },
                    ErrorKind::interrupted),
                "interrupted while deciding");
    }
    EXPECT_LT(done.size(), 64U);
  }
}

TEST(Predict, TellsOfEveryItemThatIsSearched) {
  Rng rng(Seed{13});
  const MultilabelModel model = random_model({.covariance = Covariance::shared}, 24, 24, 4, 0.3, rng);
  const NumberTable features = random_items(model, 20, rng);
  RunContext run;
  std::vector<double> done;
  run.observer = [&](const Progress& progress) { done.push_back(progress.done); };
  predict(model, features, {.candidates = {CandidateKind::all, 0}, .node_limit = 100}, run);
  std::vector<double> each(20);
  std::iota(each.begin(), each.end(), 1.0);
  EXPECT_EQ(done, each);
}

TEST(Predict, ALimitOfNodesGivesAGapThatHolds) {
  Rng rng(Seed{14});
  const MultilabelModel model = random_model({.covariance = Covariance::shared}, 20, 10, 4, 1.0, rng);
  PredictOptions options{.candidates = {CandidateKind::all, 0}, .node_limit = 30};
  const NumberTable features = random_items(model, 20, rng);
  const SetPredictions quick = predict(model, features, options, {});
  options.node_limit = 5'000'000;
  const SetPredictions proved = predict(model, features, options, {});
  EXPECT_GT(quick.unproved, 0U);
  EXPECT_EQ(proved.unproved, 0U);
  for (std::size_t n = 0; n < features.rows(); ++n) {
    const auto joint = [&](const SetPredictions& said) {
      return said.log_likelihood[n] + log_prior(model.prior, said.sets.row(n));
    };
    EXPECT_LE(joint(proved), joint(quick) + quick.gap[n] + rounding);
    EXPECT_GE(joint(proved), joint(quick) - rounding);
  }
}

TEST(Predict, TheHeuristicLosesNoMoreThanItSays) {
  Rng rng(Seed{15});
  const MultilabelModel model = random_model({.covariance = Covariance::shared}, 8, 16, 3, 0.3, rng);
  const NumberTable features = emitted_items(model, 100, rng);
  PredictOptions options{.candidates = {CandidateKind::degree, 3}};
  const SetPredictions exact = predict(model, features, options, {});
  options.heuristic_error = 0.05;
  const SetPredictions quick = predict(model, features, options, {});
  std::size_t different = 0;
  for (std::size_t n = 0; n < 100; ++n) different += std::ranges::equal(exact.sets.row(n), quick.sets.row(n)) ? 0 : 1;
  EXPECT_LE(different, 5U);
}

TEST(Predict, TheHeuristicIsRefusedWhereItDoesNothing) {
  Rng rng(Seed{15});
  const auto message = [&](const MultilabelModel& model, const CandidateRule& candidates) -> std::string {
    return error_of(
        [&] { predict(model, random_items(model, 2, rng), {.candidates = candidates, .heuristic_error = 0.05}, {}); },
        ErrorKind::usage);
  };
  MultilabelModel model = small_model();
  const CandidateRule all{CandidateKind::all, 0};
  EXPECT_EQ(message(model, {}), "--heuristic-error needs --candidates all or degree:M; leave it 0 with observed");
  model.sources.combination = Combination::one_of;
  EXPECT_EQ(
      message(model, all),
      "--heuristic-error needs gaussian sources that are summed or lognormal ones that are multiplied; leave it 0");
  model.options.method = Training::fresh;
  EXPECT_EQ(message(model, all),
            "--heuristic-error needs items that are made by their sources together; leave it 0 with --method new");
}

TEST(Predict, TooManySetsOfAModelThatCannotBeSearchedAreRefused) {
  Rng rng(Seed{16});
  MultilabelModel model = random_model({.covariance = Covariance::diagonal}, 24, 3, 4, 0.3, rng);
  model.sources.combination = Combination::one_of;
  const NumberTable items = random_items(model, 2, rng);
  EXPECT_EQ(error_of(
                [&] {
                  predict(model, items, {.candidates = {CandidateKind::all, 0}}, {});
                },
                ErrorKind::usage),
            "--candidates: 16777215 label sets, which this kind of model cannot search; 'observed', or 'degree:M' "
            "with at most 65536 sets, is allowed");
}

TEST(Predict, AnyNumberOfThreadsGivesTheSameBytes) {
  const MultilabelModel model = small_model();
  Rng rng(Seed{9});
  const NumberTable features = random_items(model, 3000, rng);
  RunContext one;
  one.threads = {1};
  const SetPredictions first = predict(model, features, {}, one);
  for (const unsigned threads : {2U, 4U}) {
    RunContext run;
    StartedThreads started(threads);
    run.threads = started;
    const SetPredictions other = predict(model, features, {}, run);
    EXPECT_EQ(first.sets, other.sets);
    EXPECT_EQ(first.posterior, other.posterior);
    EXPECT_EQ(first.marginal, other.marginal);
  }
}

}  // namespace
}  // namespace motet::multilabel::predict_test
