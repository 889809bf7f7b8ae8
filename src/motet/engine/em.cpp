#include "motet/engine/em.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "motet/engine/iterate.h"

namespace motet {
namespace {

constexpr std::size_t least_work_a_leaf = 1024;  // below it, adding up the leaves costs more than it saves

struct Expectation {
  std::vector<double> statistics;
  double objective = 0.0;
};

double largest_change(std::span<const double> a, std::span<const double> b) {
  double change = 0.0;
  for (std::size_t i = 0; i < a.size(); ++i) change = std::max(change, std::abs(a[i] - b[i]));
  return change;
}

// A cycle is two EM steps and a leap over them; it starts afresh from its parameters, so they are all there is to keep.
class EmFit {
 public:
  EmFit(const EmProblem& problem, std::vector<double> start, const EmRule& rule, const RunContext& run)
      : problem_(problem), rule_(rule), threads_(run.threads), point_(std::move(start)) {}

  double objective() {
    if (!is_expected_) here_ = expect_at(point_);
    is_expected_ = false;
    return here_.objective;
  }

  Step step() {
    std::vector<double> next = problem_.maximise(here_.statistics, point_);
    const double change = largest_change(point_, next);
    const bool leaps = rule_.accelerate && problem_.project && change > rule_.tolerance;
    if (leaps && within_cycle_) {
      leap(std::move(next));
    } else {
      origin_ = std::exchange(point_, std::move(next));
    }
    within_cycle_ = leaps && !within_cycle_;
    return {change, {}};
  }

  std::vector<double> keep() const { return within_cycle_ ? std::vector<double>{} : point_; }

  bool take(std::span<const double> parameters) {
    if (parameters.size() != point_.size()) return false;
    point_.assign(parameters.begin(), parameters.end());
    return true;
  }

  EmResult result(FitSummary summary) {
    // A rise that ends the fit within a cycle has always been counted twice; results show the number of iterations.
    if (within_cycle_ && summary.stop == Stop::converged) summary.objective.push_back(here_.objective);
    return {std::move(point_), std::move(here_.statistics), std::move(summary)};
  }

 private:
  Expectation expect_at(std::span<const double> parameters) const {
    Expectation found{expect(problem_, parameters, rule_.inverse_temperature, threads_), 0.0};
    found.objective = found.statistics[0] + (problem_.log_prior ? problem_.log_prior(parameters) : 0.0);
    return found;
  }

  // To the extrapolation of both steps if that is no worse than the first of them, else to the second.
  void leap(std::vector<double> second) {
    std::vector<double> candidate = extrapolate(origin_, point_, second);
    if (!candidate.empty()) {
      problem_.project(second, candidate);
      Expectation leapt = expect_at(candidate);
      is_expected_ = leapt.objective >= here_.objective;
      if (is_expected_) here_ = std::move(leapt);
    }
    point_ = std::move(is_expected_ ? candidate : second);
  }

  // Empty when the step would be no longer than the two EM steps.
  static std::vector<double> extrapolate(std::span<const double> t0, std::span<const double> t1,
                                         std::span<const double> t2) {
    double r_squared = 0.0;
    double v_squared = 0.0;
    for (std::size_t i = 0; i < t0.size(); ++i) {
      const double r = t1[i] - t0[i];
      const double v = t2[i] - t1[i] - r;
      r_squared += r * r;
      v_squared += v * v;
    }
    if (!(v_squared > 0.0)) return {};
    const double a = -std::sqrt(r_squared / v_squared);
    if (a > -1.0) return {};
    std::vector<double> candidate(t0.size());
    for (std::size_t i = 0; i < t0.size(); ++i) {
      const double r = t1[i] - t0[i];
      candidate[i] = t0[i] - 2.0 * a * r + a * a * (t2[i] - t1[i] - r);
    }
    return candidate;
  }

  const EmProblem& problem_;
  const EmRule& rule_;
  Threads threads_;
  std::vector<double> point_;
  std::vector<double> origin_;  // of the cycle
  Expectation here_;            // at point_, once its objective was asked
  bool within_cycle_ = false;
  bool is_expected_ = false;  // here_ is at point_ already
};

}  // namespace

std::vector<double> expect(const EmProblem& problem, std::span<const double> parameters, double inverse_temperature,
                           Threads threads) {
  std::vector<double> prepared;
  if (problem.prepare) prepared = problem.prepare(parameters);
  const std::span<const double> given = problem.prepare ? std::span<const double>(prepared) : parameters;
  return sum_over_tasks(
      problem.leaf_count, problem.statistic_count, threads,
      [&](std::size_t leaf, std::span<double> sums) { problem.accumulate(given, leaf, inverse_temperature, sums); });
}

EmResult run_em(const EmProblem& problem, std::vector<double> start, const EmRule& rule, const RunContext& run,
                std::string_view stage, std::vector<double> trace) {
  EmFit fit(problem, std::move(start), rule, run);
  const Iterated iterated{[&] { return fit.objective(); },
                          [&] { return fit.step(); },
                          [&] { return fit.keep(); },
                          [&](std::span<const double> kept) { return fit.take(kept); },
                          {}};
  IterationRule ends{rule.max_iterations, rule.tolerance, rule.objective_tolerance, rule.least_rise};
  ends.must_rise = rule.must_rise;
  return fit.result(iterate(iterated, ends, run, stage, std::move(trace)));
}

std::vector<double> anneal(const EmProblem& problem, std::vector<double> start,
                           std::span<const double> inverse_temperatures, std::size_t steps_each,
                           const RunContext& run) {
  for (const double inverse_temperature : inverse_temperatures) {
    const EmRule rule{steps_each, 0.0, inverse_temperature, false};
    start = run_em(problem, std::move(start), rule, run).parameters;
  }
  return start;
}

StartChoice best_of_starts(const EmProblem& problem, std::span<const std::vector<double>> starts,
                           std::size_t trial_iterations, const EmRule& rule, const RunContext& run,
                           std::string_view stage, const std::function<bool(std::span<const double>)>& plausible) {
  StartChoice choice;
  EmResult best;
  bool best_plausible = false;
  for (std::size_t i = 0; i < starts.size(); ++i) {
    EmRule trial = rule;
    trial.max_iterations = std::min(trial_iterations, rule.max_iterations);
    EmResult tried = starts.size() == 1 ? EmResult{starts[i], {}, {}} : run_em(problem, starts[i], trial, run);
    choice.objectives.push_back(tried.objective());
    const bool is_plausible = !plausible || plausible(tried.parameters);
    const double to_beat = choice.objectives[choice.winner];
    // The first of equals stays, so that a tie within rounding does not depend on luck.
    const bool higher = choice.objectives[i] > to_beat + 1e-9 * std::max(1.0, std::abs(to_beat));
    if (i == 0 || (is_plausible && !best_plausible) || (is_plausible == best_plausible && higher)) {
      choice.winner = i;
      best = std::move(tried);
      best_plausible = is_plausible;
    }
  }
  choice.result = run_em(problem, std::move(best.parameters), rule, run, stage, std::move(best.summary.objective));
  return choice;
}

std::vector<std::size_t> cut_leaves(std::span<const std::uint32_t> work, std::size_t leaf_count) {
  const std::size_t item_count = work.size() - 1;
  const std::size_t worthwhile = std::min<std::size_t>(item_count, work.back() / least_work_a_leaf);
  const std::size_t count = std::clamp<std::size_t>(worthwhile, 1, leaf_count);
  std::vector<std::size_t> bounds{0};
  for (std::size_t leaf = 1; leaf < count; ++leaf) {
    const auto target = static_cast<std::uint32_t>(static_cast<double>(work.back()) * static_cast<double>(leaf) /
                                                   static_cast<double>(count));
    const auto found = std::lower_bound(work.begin(), work.end(), target);
    const auto bound = static_cast<std::size_t>(found - work.begin());
    bounds.push_back(std::clamp(bound, bounds.back(), item_count));
  }
  bounds.push_back(item_count);
  return bounds;
}

}  // namespace motet
