#include "motet/judges/estimate.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "motet/base/error.h"
#include "motet/judges/combine.h"
#include "motet/judges/simulate.h"
#include "support/errors.h"
#include "support/threads.h"

namespace motet::judges::estimate_test {
namespace {

SimulatedVotes simulated(std::size_t items, std::size_t judges, std::size_t classes = 2, double answered = 1.0) {
  SimulateOptions options;
  options.items = items;
  options.judges = judges;
  options.classes = classes;
  options.answered = answered;
  return simulate_votes(options, Seed{3});
}

JudgesOptions symmetric(std::string prior = "estimate") {
  JudgesOptions options;
  options.noise = JudgeNoise::symmetric;
  options.prior = std::move(prior);
  return options;
}

std::string refusal(const Votes& votes, const JudgesOptions& options, ErrorKind kind) {
  return error_of([&] { estimate_judges(votes, options, {}); }, kind);
}

Votes table_votes(const std::vector<std::string>& judges, const std::vector<std::vector<int>>& rows) {
  std::vector<Vote> list;
  NameList items;
  for (std::uint32_t i = 0; i < rows.size(); ++i) {
    items.push_back("i" + std::to_string(i));
    for (std::uint32_t j = 0; j < rows[i].size(); ++j) {
      if (rows[i][j] >= 0) list.push_back({i, j, static_cast<std::uint32_t>(rows[i][j])});
    }
  }
  return make_votes(items, NameList(judges), NameList(std::vector<std::string>{"no", "yes"}), list);
}

TEST(Estimate, ObjectiveNeverFallsWhateverTheModel) {
  const Votes votes = simulated(400, 6, 3, 0.7).votes;
  std::vector<JudgesOptions> all(5);
  all[1].smoothing = 0.0;
  all[2].smoothing = 1.0;
  all[3] = symmetric();
  all[4] = symmetric("uniform");
  for (JudgesOptions& options : all) {
    for (const bool plain : {false, true}) {
      options.plain_em = plain;
      const FitSummary summary = estimate_judges(votes, options, {}).summary;
      EXPECT_EQ(summary.stop, Stop::converged);
      for (std::size_t i = 1; i < summary.objective.size(); ++i) {
        EXPECT_GE(summary.objective[i], summary.objective[i - 1] - 1e-10 * std::abs(summary.objective[i])) << i;
      }
    }
  }
}

TEST(Estimate, SameBitsOnAnyNumberOfThreads) {
  const Votes votes = simulated(20'000, 8, 3, 0.9).votes;  // many votes: all 64 leaves
  JudgesOptions options;
  options.max_iterations = 12;
  std::vector<double> one;
  for (const unsigned threads : {1U, 2U, 3U, 4U, 8U}) {
    RunContext run;
    StartedThreads started(threads);
    run.threads = started;
    const JudgesFit fit = estimate_judges(votes, options, run);
    if (one.empty()) one = fit.model.parameters;
    EXPECT_EQ(fit.model.parameters, one) << threads;
  }
}

TEST(Estimate, OrderOfItemsAndJudgesAndNamesOfClassesDoNotMatter) {
  const SimulatedVotes data = simulated(300, 4, 3);
  const std::size_t k = 3;
  // Items reversed, judges rotated, classes renamed by a rotation.
  std::vector<Vote> list;
  for (std::size_t i = 0; i < 300; ++i) {
    for (const std::uint32_t code : data.votes.of_item(i)) {
      list.push_back({static_cast<std::uint32_t>(299 - i), (code / 3 + 1) % 4, (code % 3 + 1) % 3});
    }
  }
  const Votes turned = make_votes(data.votes.items, data.votes.judges, data.votes.classes, list);
  const JudgesFit a = estimate_judges(data.votes, {}, {});
  const JudgesFit b = estimate_judges(turned, {}, {});
  constexpr double same_optimum = 1e-6;  // two fits that each stop at steps of 1e-8
  for (std::size_t j = 0; j < 4; ++j) {
    EXPECT_NEAR(a.judges[j].accuracy, b.judges[(j + 1) % 4].accuracy, same_optimum);
    for (std::size_t y = 0; y < k; ++y) {
      for (std::size_t c = 0; c < k; ++c) {
        EXPECT_NEAR(a.model.cell(j, c, y), b.model.cell((j + 1) % 4, (c + 1) % k, (y + 1) % k), same_optimum);
      }
    }
  }
}

TEST(Estimate, PlantedAccuraciesAreRecovered) {
  // 4 standard errors: 12 judges in all, so a false alarm once in about 1,300 seeds.
  constexpr double k_errors = 4.0;
  for (const JudgesOptions& options : {JudgesOptions{}, symmetric()}) {
    const SimulatedVotes data = simulated(4000, 6);
    const JudgesFit fit = estimate_judges(data.votes, options, {});
    for (std::size_t j = 0; j < 6; ++j) {
      EXPECT_NEAR(fit.judges[j].accuracy, data.accuracy[j], k_errors * fit.judges[j].standard_error);
    }
  }
}

TEST(Estimate, MissingVotesDropOut) {
  const SimulatedVotes data = simulated(3000, 8, 4, 0.5);
  const JudgesFit fit = estimate_judges(data.votes, {}, {});
  for (std::size_t j = 0; j < 8; ++j) {
    EXPECT_NEAR(fit.judges[j].accuracy, data.accuracy[j], 4.0 * fit.judges[j].standard_error);
  }
}

TEST(Estimate, KnownLabelsSharpenTheEstimate) {
  SimulatedVotes data = simulated(300, 3);
  const JudgesFit without = estimate_judges(data.votes, {}, {});
  data.votes.known = data.truth;
  const JudgesFit with = estimate_judges(data.votes, {}, {});
  for (std::size_t j = 0; j < 3; ++j) EXPECT_LT(with.judges[j].standard_error, without.judges[j].standard_error);
}

TEST(Estimate, BootstrapAndInformationAgreeOnEasyData) {
  const Votes votes = simulated(1000, 5).votes;
  JudgesOptions options = symmetric();
  const JudgesFit by_information = estimate_judges(votes, options, {});
  options.bootstrap = 200;
  const JudgesFit by_bootstrap = estimate_judges(votes, options, {});
  for (std::size_t j = 0; j < 5; ++j) {
    // The relative error of a standard deviation from 200 samples is 5 %; four of those.
    EXPECT_NEAR(by_bootstrap.judges[j].standard_error / by_information.judges[j].standard_error, 1.0, 0.25);
  }
  EXPECT_EQ(by_bootstrap.interval_source, "200 bootstrap samples of the items");
  RunContext threads;
  StartedThreads started(4);
  threads.threads = started;
  RunContext one;
  one.threads.count = 1;
  EXPECT_EQ(estimate_judges(votes, options, threads).judges[0].interval,
            estimate_judges(votes, options, one).judges[0].interval);
}

TEST(Estimate, IntervalsStayInsideAndHoldTheEstimateAtTheBorder) {
  // judge c is always right where a and b agree: plain likelihood puts it at 1.
  std::vector<std::vector<int>> rows;
  for (int i = 0; i < 60; ++i) rows.push_back({i % 2, i % 7 == 0 ? 1 - i % 2 : i % 2, i % 2});
  JudgesOptions options = symmetric();
  const JudgesFit fit = estimate_judges(table_votes({"a", "b", "c"}, rows), options, {});
  for (const JudgeEstimate& judge : fit.judges) {
    EXPECT_GE(judge.interval.low, 0.0);
    EXPECT_LE(judge.interval.high, 1.0);
    EXPECT_LT(judge.interval.low, judge.accuracy);
  }
  EXPECT_GT(fit.judges[2].accuracy, 0.999);
  EXPECT_GT(fit.judges[2].interval.high - fit.judges[2].interval.low, 0.005);  // not a point
}

TEST(EstimateSlow, CoverageOfTheIntervals) {
  // 150 data sets of 4 judges: 600 intervals, correlated within a set; the standard error
  // of the share is about 0.012, so 0.95 +- 4 of them.
  std::size_t held = 0;
  std::size_t total = 0;
  SimulateOptions options;
  options.items = 500;
  options.judges = 4;
  options.prior = "a=0.65,b=0.35";
  for (std::uint64_t r = 0; r < 150; ++r) {
    const SimulatedVotes data = simulate_votes(options, Seed{1000 + r});
    const JudgesFit fit = estimate_judges(data.votes, symmetric("a=0.65,b=0.35"), {});
    for (std::size_t j = 0; j < 4; ++j) held += fit.judges[j].interval.contains(data.accuracy[j]) ? 1 : 0;
    total += 4;
  }
  EXPECT_NEAR(static_cast<double>(held) / static_cast<double>(total), 0.95, 0.048);
}

TEST(Estimate, RefusesWhatVotesCannotTell) {  // identifiability_test.cpp has all of them
  EXPECT_EQ(
      refusal(simulated(100, 2).votes, {}, ErrorKind::unanswerable),
      "the errors of two judges cannot be told apart from how they agree: at least three judges must label the same "
      "items; add judges, give known labels with --gold, or use --noise symmetric with a known and unequal --prior");
  EXPECT_NO_THROW(estimate_judges(simulated(100, 2).votes, symmetric("a=0.75,b=0.25"), {}));
}

TEST(Estimate, SeparatelyIsAsTogetherForOneJudge) {
  const Votes votes = simulated(500, 1).votes;
  JudgesOptions options = symmetric("a=0.7,b=0.3");
  options.tolerance = 1e-12;
  const double together = estimate_judges(votes, options, {}).judges[0].accuracy;
  options.separately = true;
  EXPECT_NEAR(estimate_judges(votes, options, {}).judges[0].accuracy, together, 1e-6);
}

TEST(Estimate, OneJudgeAloneIsWarnedOfNotRefused) {
  std::vector<std::vector<int>> rows;
  for (int i = 0; i < 60; ++i)
    rows.push_back({i % 2, i % 5 == 0 ? 1 - i % 2 : i % 2, i % 7 == 0 ? 1 - i % 2 : i % 2, -1});
  for (int i = 0; i < 20; ++i) rows.push_back({-1, -1, -1, i % 3 == 0 ? 1 : 0});
  const JudgesFit fit = estimate_judges(table_votes({"a", "b", "c", "loner"}, rows), {}, {});
  EXPECT_FALSE(fit.identifiable);
  EXPECT_FALSE(fit.judges[3].determined);
  EXPECT_TRUE(fit.judges[0].determined);
  EXPECT_NE(
      std::find(fit.warnings.begin(), fit.warnings.end(),
                "'loner' shares no item with two other judges: what is said of it rests on the others' habits, not on "
                "its own votes"),
      fit.warnings.end());
}

TEST(Estimate, NamesConstantJudgesCopiesAndThoseWorseThanChance) {
  Rng rng(Seed{4});
  std::vector<std::vector<int>> rows;
  for (int i = 0; i < 400; ++i) {
    const int truth = rng.uniform() < 0.5 ? 1 : 0;
    const auto vote = [&](double accuracy) { return rng.uniform() < accuracy ? truth : 1 - truth; };
    const int shared = vote(0.7);
    rows.push_back({vote(0.85), vote(0.85), vote(0.8), vote(0.8), 1, vote(0.2), shared, shared});
  }
  const JudgesFit fit =
      estimate_judges(table_votes({"a", "b", "c", "d", "always", "contrary", "one", "twin"}, rows), {}, {});
  const auto told = [&](std::string_view part) {
    return std::any_of(fit.warnings.begin(), fit.warnings.end(),
                       [&](const std::string& warning) { return warning.find(part) != std::string::npos; });
  };
  EXPECT_TRUE(told("judge 'always' always says 'yes': its votes tell nothing about an item"));
  EXPECT_TRUE(told("'contrary' is worse than chance: its votes are read the other way round"));
  EXPECT_TRUE(told("judges 'one' and 'twin' agree on 400 of 400 shared items"));
  EXPECT_NEAR(fit.model.cell(4, 1, 0), 1.0, 0.05);
}

TEST(Estimate, TellsWhatItSawAndTheLongRun) {
  // The default tells the expected share of right votes on the items seen; a method that is named, the long run.
  const SimulatedVotes data = simulated(400, 5, 3);
  const JudgesFit by_default = estimate_judges(data.votes, {}, {});
  ASSERT_FALSE(by_default.ways.empty());
  std::vector<double> right(5, 0.0);
  combine(by_default.model, data.votes, [&](std::size_t i, std::span<const double> q) {
    for (const std::uint32_t code : data.votes.of_item(i)) right[code / 3] += q[code % 3];
  });
  const JudgesFit named = estimate_judges(data.votes, {.smoothing = 1.0}, {});
  EXPECT_TRUE(named.ways.empty());
  for (std::size_t j = 0; j < 5; ++j) {
    EXPECT_NEAR(by_default.judges[j].accuracy, right[j] / by_default.model.judge_votes[j], 1e-12);
    EXPECT_EQ(by_default.judges[j].long_run_accuracy, by_default.model.accuracy(j));
    EXPECT_EQ(named.judges[j].accuracy, named.model.accuracy(j));
    EXPECT_NE(named.judges[j].seen_accuracy, named.judges[j].accuracy);
  }
}

TEST(Estimate, SparseVotesAreNotRefused) {
  // A hundred judges with four or five votes each: a few directions of two hundred have no information, but they touch
  // most judges only a little.
  Rng rng(Seed{3});
  std::vector<Vote> list;
  NameList items;
  for (std::uint32_t i = 0; i < 150; ++i) {
    items.push_back("i" + std::to_string(i));
    const std::uint32_t truth = i % 2;
    const auto first = static_cast<std::uint32_t>(rng.below(98));
    for (std::uint32_t j = first; j < first + 3; ++j) list.push_back({i, j, rng.uniform() < 0.75 ? truth : 1 - truth});
  }
  NameList judges;
  for (int j = 0; j < 100; ++j) judges.push_back("j" + std::to_string(j));
  NameList classes;
  classes.push_back("0");
  classes.push_back("1");
  const JudgesFit fit = estimate_judges(make_votes(items, judges, classes, list), {.smoothing = 0.0}, {});
  const auto determined =
      std::count_if(fit.judges.begin(), fit.judges.end(), [](const JudgeEstimate& judge) { return judge.determined; });
  EXPECT_GT(determined, 20);
  EXPECT_LT(determined, 100);
}

TEST(Estimate, AFitThatWasStoppedBlamesItsLimitAndNotTheVotes) {
  const SimulatedVotes data = simulated(40, 12, 2);
  const JudgesFit fit = estimate_judges(data.votes, {.smoothing = 0.0, .max_iterations = 1}, {});
  EXPECT_EQ(fit.summary.stop, Stop::iteration_limit);
  for (const std::string& warning : fit.warnings) EXPECT_EQ(warning.find("do not determine"), std::string::npos);
}

TEST(Estimate, SharesOfClassesHaveTheIntervalsOfTheirItems) {
  // Judges who echo each other: the discount holds the shares of classes near the vote shares, which is no knowledge.
  Rng rng(Seed{4});
  std::vector<std::vector<int>> rows;
  for (int i = 0; i < 500; ++i) {
    const int truth = i % 2;
    const int lure = rng.uniform() < 0.3 ? 1 - truth : truth;
    rows.emplace_back();
    for (int j = 0; j < 8; ++j) rows.back().push_back(rng.uniform() < 0.8 ? lure : truth);
  }
  JudgesOptions options;
  options.noise = JudgeNoise::confusion;
  const JudgesFit fit = estimate_judges(table_votes({"a", "b", "c", "d", "e", "f", "g", "h"}, rows), options, {});
  ASSERT_LT(fit.model.vote_weight, 0.8);
  // Known labels of 500 items would give 1.96 sqrt(1 / 2000).
  EXPECT_GT(0.5 * (fit.prior[0].high - fit.prior[0].low), 0.043);
}

TEST(Estimate, SwappedClassesAreNamedBack) {
  // Judges mostly right: whatever start wins, the diagonal must be the large part.
  const SimulatedVotes data = simulated(500, 5, 3);
  for (std::uint64_t seed = 1; seed <= 5; ++seed) {
    RunContext run;
    run.seed = Seed{seed};
    JudgesOptions options{.smoothing = 0.0, .starts = 12};
    const JudgesFit fit = estimate_judges(data.votes, options, run);
    for (std::size_t j = 0; j < 5; ++j) EXPECT_GT(fit.judges[j].accuracy, 0.45);
  }
}

TEST(Estimate, BadOptionsAreNamed) {
  const Votes votes = simulated(50, 3).votes;
  const auto with_prior = [&](const std::string& prior) { return refusal(votes, symmetric(prior), ErrorKind::usage); };
  EXPECT_EQ(with_prior("a=0.5,c=0.5"), "--prior: class 'c' is not one of {a, b}");
  EXPECT_EQ(with_prior("a=0.5,b=0.4"), "--prior: the shares sum to 0.9; they must sum to 1");
  EXPECT_EQ(with_prior("a=1"), "--prior: class 'b' has no share");
  EXPECT_EQ(with_prior("a=x,b=0.4"), "--prior: class 'a': 'x' is not a number");
  EXPECT_EQ(with_prior("a=1.5,b=-0.5"), "--prior: class 'a' = 1.5 is outside [0, 1]");
  EXPECT_EQ(with_prior("often"), "--prior: 'often' is not 'estimate', 'uniform' or CLASS=SHARE,CLASS=SHARE,...");
  Votes gold = votes;
  gold.known.assign(50, Votes::unknown);
  gold.known[2] = 1;
  EXPECT_EQ(refusal(gold, symmetric("a=1,b=0"), ErrorKind::usage),
            "--prior: class 'b' has share 0, but item 'item3' is known to be of it");
  JudgesOptions options{.smoothing = -1.0};
  EXPECT_EQ(refusal(votes, options, ErrorKind::usage), "--smoothing -1 is outside [0, 1e+06]");
}

}  // namespace
}  // namespace motet::judges::estimate_test
