// Expectation-maximisation, written once for all models.
//
// A model states three things about flat vectors of numbers: `accumulate` the
// statistics of a leaf of items under parameters, (merging two statistics is
// adding them), and `maximise` from the sum. The engine owns iteration,
// convergence, the check that the objective never falls, SQUAREM acceleration,
// annealing, restarts, checkpoints, progress and cancellation.
//
// SQUAREM (Varadhan and Roland 2008): from two EM steps t0 -> t1 -> t2 with
// r = t1 - t0 and v = (t2 - t1) - r go to t0 - 2 a r + a^2 v, a = -|r| / |v|.
// The point is kept only if its objective is not below that of t1; else the next
// step starts at t2, so the recorded objective never falls.
#pragma once

#include <cstddef>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "motet/base/run.h"

namespace motet {

struct EmProblem {
  std::size_t leaf_count = 0;
  std::size_t statistic_count = 0;

  // What `accumulate` needs of the parameters, computed once an E-step. Empty: the
  // parameters themselves.
  std::function<std::vector<double>(std::span<const double> parameters)> prepare;

  // Adds to statistics[0] the leaf's objective sum_n 1/b log sum_z p(x_n, z)^b and
  // to the rest the expected statistics under q(z) ~ p(x_n, z)^b. b is the inverse
  // temperature, 1 in an ordinary fit.
  std::function<void(std::span<const double> prepared, std::size_t leaf, double inverse_temperature,
                     std::span<double> statistics)>
      accumulate;

  // The parameters that maximise the expected objective plus log_prior.
  std::function<std::vector<double>(std::span<const double> statistics, std::span<const double> parameters)> maximise;

  std::function<double(std::span<const double> parameters)> log_prior;  // may be empty: 0

  // Makes an extrapolated point feasible, given the last ordinary EM point.
  // Empty: the model is not accelerated.
  std::function<void(std::span<const double> em_point, std::span<double> candidate)> project;
};

struct EmRule {
  std::size_t max_iterations = 2000;
  double tolerance = 1e-8;  // largest change of any parameter in one EM step that counts as done
  double inverse_temperature = 1.0;
  bool accelerate = true;
  double objective_tolerance = 0.0;  // relative rise in one step that counts as done as well; 0: never
  double least_rise = 0.0;           // the same, but not relative
  bool must_rise = true;  // false: maximise answers to more than the objective, which may fall; a small change ends it
};

// One E-step: the summed statistics of all leaves.
std::vector<double> expect(const EmProblem& problem, std::span<const double> parameters, double inverse_temperature,
                           Threads threads);

struct EmResult {
  std::vector<double> parameters;
  std::vector<double> statistics;  // of the E-step at these parameters
  FitSummary summary;
  double objective() const { return summary.objective.empty() ? 0.0 : summary.objective.back(); }
};

// `stage` names this fit in checkpoints; an empty stage is neither saved nor resumed.
// `trace` are the objectives of steps that led to the start, its own last.
EmResult run_em(const EmProblem& problem, std::vector<double> start, const EmRule& rule, const RunContext& run,
                std::string_view stage = {}, std::vector<double> trace = {});

// Runs EM at rising inverse temperatures, each from where the one before ended;
// returns the parameters at the last, a start for run_em. Deterministic annealing
// smooths the objective first, which avoids poor local optima.
std::vector<double> anneal(const EmProblem& problem, std::vector<double> start,
                           std::span<const double> inverse_temperatures, std::size_t steps_each, const RunContext& run);

struct StartChoice {
  EmResult result;
  std::size_t winner = 0;
  std::vector<double> objectives;  // after the trial, one per start
};

// A few steps from each start, then on from the best to convergence. Ends that are
// not `plausible` (may be empty: all are) lose against those that are.
StartChoice best_of_starts(const EmProblem& problem, std::span<const std::vector<double>> starts,
                           std::size_t trial_iterations, const EmRule& rule, const RunContext& run,
                           std::string_view stage = {},
                           const std::function<bool(std::span<const double>)>& plausible = {});

// Cuts items into leaves of about equal work, by the data alone. `work` is the
// running total, work[0] = 0, one entry more than there are items.
constexpr std::size_t default_leaf_count = 64;
std::vector<std::size_t> cut_leaves(std::span<const std::uint32_t> work, std::size_t leaf_count = default_leaf_count);

}  // namespace motet
