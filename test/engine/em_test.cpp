#include "motet/engine/em.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <optional>

#include "support/cancelled.h"
#include "support/errors.h"
#include "support/texts.h"
#include "support/threads.h"

namespace motet::em_test {
namespace {

// A mixture of two coins, each item ten throws: parameters are the share of the first
// coin and the two chances of heads. Small enough to know everything about it.
struct Coins {
  static constexpr std::size_t throws = 10;
  std::vector<std::uint32_t> heads;
  std::vector<std::size_t> leaves;

  explicit Coins(std::size_t items) {
    Rng rng(Seed{5});
    std::vector<std::uint32_t> work(items + 1);
    std::iota(work.begin(), work.end(), 0U);
    for (std::uint32_t& w : work) w *= 2048;  // heavy items: as many leaves as allowed
    leaves = cut_leaves(work);
    for (std::size_t i = 0; i < items; ++i) {
      const double chance = rng.uniform() < 0.4 ? 0.3 : 0.6;
      std::uint32_t count = 0;
      for (std::size_t t = 0; t < throws; ++t) count += rng.uniform() < chance ? 1 : 0;
      heads.push_back(count);
    }
  }

  EmProblem problem() const {
    EmProblem problem;
    problem.leaf_count = leaves.size() - 1;
    problem.statistic_count = 4;  // objective, mass of coin 1, its heads, heads of coin 2
    problem.accumulate = [this](std::span<const double> p, std::size_t leaf, double b, std::span<double> s) {
      for (std::size_t i = leaves[leaf]; i < leaves[leaf + 1]; ++i) {
        const double h = heads[i];
        const double first = b * (std::log(p[0]) + h * std::log(p[1]) + (throws - h) * std::log1p(-p[1]));
        const double second = b * (std::log1p(-p[0]) + h * std::log(p[2]) + (throws - h) * std::log1p(-p[2]));
        const double peak = std::max(first, second);
        const double total = peak + std::log(std::exp(first - peak) + std::exp(second - peak));
        const double q = std::exp(first - total);
        s[0] += total / b;
        s[1] += q;
        s[2] += q * h;
        s[3] += (1.0 - q) * h;
      }
    };
    problem.maximise = [n = static_cast<double>(heads.size())](std::span<const double> s, std::span<const double>) {
      return std::vector<double>{s[1] / n, s[2] / (throws * s[1]), s[3] / (throws * (n - s[1]))};
    };
    problem.project = [](std::span<const double>, std::span<double> candidate) {
      for (double& p : candidate) p = std::clamp(p, 1e-6, 1.0 - 1e-6);
    };
    return problem;
  }
};

const std::vector<double> start = {0.5, 0.4, 0.5};
constexpr double rounding = 1e-9;  // of a sum of a thousand logarithms

void expect_rising(const std::vector<double>& objective) {
  for (std::size_t i = 1; i < objective.size(); ++i) EXPECT_GE(objective[i], objective[i - 1] - rounding) << "at " << i;
}

TEST(Em, ObjectiveNeverFallsAndAccelerationFindsTheSameOptimumSooner) {
  const Coins coins(1000);
  const EmResult plain = run_em(coins.problem(), start, {100'000, 1e-11, 1.0, false}, {});
  const EmResult fast = run_em(coins.problem(), start, {100'000, 1e-11, 1.0, true}, {});
  EXPECT_EQ(plain.summary.stop, Stop::converged);
  EXPECT_EQ(fast.summary.stop, Stop::converged);
  expect_rising(plain.summary.objective);
  expect_rising(fast.summary.objective);
  constexpr double same_point = 1e-7;  // both stop when a step is below 1e-11
  for (std::size_t i = 0; i < start.size(); ++i) EXPECT_NEAR(plain.parameters[i], fast.parameters[i], same_point);
  EXPECT_LT(2 * fast.summary.iterations(), plain.summary.iterations());
}

TEST(Em, SameBitsOnAnyNumberOfThreads) {
  const Coins coins(5000);
  ASSERT_EQ(coins.problem().leaf_count, default_leaf_count);
  std::optional<std::vector<double>> one;
  for (const unsigned threads : {1U, 2U, 3U, 4U, 8U}) {
    RunContext run;
    StartedThreads started(threads);
    run.threads = started;
    const EmResult result = run_em(coins.problem(), start, {30, 0.0, 1.0, true}, run);
    if (!one) one = result.parameters;
    EXPECT_EQ(*one, result.parameters) << threads << " threads";
  }
}

TEST(Em, StoppedAndResumedEndsWithTheSameBytes) {
  const Coins coins(1000);
  const EmRule rule{200, 1e-10, 1.0, true};
  const EmResult whole = run_em(coins.problem(), start, rule, {}, "fit");

  StoppedRun first(6);
  const EmResult part = run_em(coins.problem(), start, rule, first.run, "fit");
  EXPECT_EQ(part.summary.stop, Stop::interrupted);
  EXPECT_TRUE(first.kept.urgent);
  ASSERT_LT(part.summary.iterations(), whole.summary.iterations());

  const EmResult rest = run_em(coins.problem(), start, rule, resumed_run(first.kept), "fit");
  EXPECT_EQ(rest.parameters, whole.parameters);
  EXPECT_EQ(rest.summary.objective, whole.summary.objective);
}

TEST(Em, ACheckpointOfOtherSizeIsRefused) {
  const Coins coins(100);
  const Checkpoint other{"fit", 1, {0.5}, {-1.0}, false};
  EXPECT_EQ(error_of([&] { run_em(coins.problem(), start, {}, resumed_run(other), "fit"); }, ErrorKind::bad_data),
            "the checkpoint belongs to other data or options; start without --resume");
}

TEST(Em, AWrongMStepIsFoundOut) {
  const Coins coins(1000);
  EmProblem problem = coins.problem();
  std::size_t calls = 0;
  const auto right = problem.maximise;
  problem.maximise = [&](std::span<const double> s, std::span<const double> p) {
    return ++calls == 4 ? std::vector<double>{0.5, 0.9, 0.1} : right(s, p);
  };
  const FitSummary summary = run_em(problem, start, {100, 1e-10, 1.0, false}, {}).summary;
  EXPECT_EQ(summary.stop, Stop::objective_fell);
  ASSERT_EQ(summary.warnings.size(), 1U);
  expect_in(summary.warnings[0], {"the objective fell by"});
}

TEST(Em, LimitOfIterationsIsToldAsSuch) {
  const Coins coins(1000);
  const FitSummary summary = run_em(coins.problem(), start, {5, 1e-12, 1.0, true}, {}).summary;
  EXPECT_EQ(summary.stop, Stop::iteration_limit);
  EXPECT_EQ(summary.iterations(), 5U);
}

TEST(Em, ObjectiveRisesAtEveryTemperature) {
  const Coins coins(1000);
  for (const double b : {0.1, 0.3, 0.7}) {
    expect_rising(run_em(coins.problem(), start, {50, 1e-12, b, false}, {}).summary.objective);
  }
  const std::vector<double> temperatures = {0.2, 0.5, 0.8};
  const std::vector<double> annealed = anneal(coins.problem(), start, temperatures, 20, {});
  EXPECT_EQ(run_em(coins.problem(), annealed, {}, {}).summary.stop, Stop::converged);
}

TEST(Em, TheBestPlausibleStartGoesOn) {
  const Coins coins(1000);
  // The third start is a trap: two equal coins stay equal for ever.
  const std::vector<std::vector<double>> starts = {{0.5, 0.5, 0.5}, {0.5, 0.4, 0.5}, {0.5, 0.6, 0.3}};
  const StartChoice free_choice = best_of_starts(coins.problem(), starts, 30, {}, {});
  EXPECT_NE(free_choice.winner, 0U);
  const StartChoice chosen =
      best_of_starts(coins.problem(), starts, 30, {}, {}, {}, [](std::span<const double> p) { return p[1] > p[2]; });
  EXPECT_EQ(chosen.winner, 2U);
  EXPECT_GT(chosen.result.parameters[1], chosen.result.parameters[2]);
}

TEST(Em, ProgressGoesForwardToTheEnd) {
  const Coins coins(1000);
  RunContext run;
  double last = -1.0;
  run.observer = [&](const Progress& progress) {
    EXPECT_GE(progress.done, last);
    last = progress.done;
  };
  run_em(coins.problem(), start, {}, run, "fit");
  EXPECT_EQ(last, 100.0);
}

TEST(CutLeaves, CoverAllItemsInOrderWithLikeWork) {
  std::vector<std::uint32_t> work = {0};
  Rng rng(Seed{9});
  for (int i = 0; i < 10'000; ++i) work.push_back(work.back() + static_cast<std::uint32_t>(rng.below(100)));
  const std::vector<std::size_t> leaves = cut_leaves(work);
  ASSERT_EQ(leaves.size(), default_leaf_count + 1);
  EXPECT_EQ(leaves.front(), 0U);
  EXPECT_EQ(leaves.back(), 10'000U);
  EXPECT_TRUE(std::is_sorted(leaves.begin(), leaves.end()));
  const double each = static_cast<double>(work.back()) / default_leaf_count;
  for (std::size_t l = 0; l + 1 < leaves.size(); ++l) {
    EXPECT_NEAR(work[leaves[l + 1]] - work[leaves[l]], each, 200.0);  // an item has less than 100
  }
  EXPECT_EQ(cut_leaves(std::vector<std::uint32_t>{0}).size(), 2U);            // no items, one empty leaf
  EXPECT_EQ(cut_leaves(std::vector<std::uint32_t>{0, 500, 900}).size(), 2U);  // little work, one leaf
}

TEST(Em, EndsByASmallRiseThatIsNotRelative) {
  const Coins coins(2000);
  EmRule rule{1000, 0.0, 1.0, false};
  rule.least_rise = 1e-3;
  const EmResult result = run_em(coins.problem(), {0.5, 0.2, 0.8}, rule, {});
  EXPECT_EQ(result.summary.stop, Stop::converged);
  const std::vector<double>& trace = result.summary.objective;
  EXPECT_LT(trace.back() - trace[trace.size() - 2], 1e-3);
  EXPECT_GE(trace[trace.size() - 2] - trace[trace.size() - 3], 1e-3);
}

TEST(Em, GoesOnAfterAFallWhereOneMayBe) {
  const Coins coins(500);
  EmProblem problem = coins.problem();
  problem.maximise = [inner = problem.maximise](std::span<const double> s, std::span<const double> p) {
    std::vector<double> next = inner(s, p);
    next[0] = 0.5 * (next[0] + 0.9);  // answers to more than the objective
    return next;
  };
  EmRule rule{1000, 0.0, 1.0, false};
  rule.least_rise = 1e-6;
  const EmResult stopped = run_em(problem, {0.4, 0.3, 0.6}, rule, {});
  EXPECT_EQ(stopped.summary.stop, Stop::objective_fell);
  rule.must_rise = false;
  const EmResult result = run_em(problem, {0.4, 0.3, 0.6}, rule, {});
  EXPECT_EQ(result.summary.stop, Stop::converged);
  EXPECT_TRUE(result.summary.warnings.empty());
  const std::vector<double>& trace = result.summary.objective;
  EXPECT_LT(trace[1], trace[0]);
  EXPECT_LT(std::abs(trace.back() - trace[trace.size() - 2]), 1e-6);
}

}  // namespace
}  // namespace motet::em_test
