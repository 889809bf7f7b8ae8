#include "motet/engine/em.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "motet/base/error.h"
#include "motet/engine/way_done.h"

namespace motet {
namespace {

// How far a sum of many terms may fall by rounding alone, relative to its size.
constexpr double rounding = 1e-10;
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

class EmLoop {
 public:
  EmLoop(const EmProblem& problem, std::vector<double> start, const EmRule& rule, const RunContext& run,
         std::string_view stage, std::vector<double> trace)
      : problem_(problem), rule_(rule), run_(run), stage_(stage), collective_(run.threads), point_(std::move(start)) {
    result_.summary.objective = std::move(trace);
    resume();
    // The objective of the start comes again with the first E-step.
    if (!result_.summary.objective.empty()) result_.summary.objective.pop_back();
  }

  EmResult go() {
    Expectation here = expect_at(point_);
    while (record(here)) {
      save(false);
      std::vector<double> next = problem_.maximise(here.statistics, point_);
      const double change = largest_change(point_, next);
      report(change);
      if (change <= rule_.tolerance) return finish(std::move(next), Stop::converged);
      here = rule_.accelerate && problem_.project ? leap(std::move(next)) : move_to(std::move(next));
      if (stopped_) return finish(std::move(point_), stop_);
    }
    result_.statistics = std::move(here.statistics);
    return finish_here(std::move(point_), stop_);
  }

 private:
  Expectation expect_at(std::span<const double> parameters) const {
    Expectation found{expect(problem_, parameters, rule_.inverse_temperature, collective_), 0.0};
    found.objective = found.statistics[0] + (problem_.log_prior ? problem_.log_prior(parameters) : 0.0);
    return found;
  }

  Expectation move_to(std::vector<double> next) {
    point_ = std::move(next);
    return expect_at(point_);
  }

  // Second EM step, extrapolation, and the choice between the two.
  Expectation leap(std::vector<double> first) {
    const std::vector<double> origin = std::move(point_);
    point_ = std::move(first);
    const Expectation middle = expect_at(point_);
    if (!record(middle)) {
      stopped_ = true;
      return {};
    }
    std::vector<double> second = problem_.maximise(middle.statistics, point_);
    if (largest_change(point_, second) <= rule_.tolerance) {
      stopped_ = true;
      stop_ = Stop::converged;
      point_ = std::move(second);
      return {};
    }
    std::vector<double> candidate = extrapolate(origin, point_, second);
    if (candidate.empty()) return move_to(std::move(second));
    problem_.project(second, candidate);
    Expectation leapt = expect_at(candidate);
    if (!(leapt.objective >= middle.objective)) return move_to(std::move(second));
    point_ = std::move(candidate);
    return leapt;
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

  // Notes the objective of point_; false when the fit ends here, with stop_ set.
  bool record(const Expectation& at) {
    if (!std::isfinite(at.objective)) {
      fail(ErrorKind::internal,
           fmt::format("the objective is {} at iteration {}", at.objective, result_.summary.iterations()));
    }
    std::vector<double>& trace = result_.summary.objective;
    const double before = trace.empty() ? -std::numeric_limits<double>::infinity() : trace.back();
    trace.push_back(at.objective);
    if (rule_.must_rise && at.objective - before < -rounding * std::max(1.0, std::abs(at.objective))) {
      result_.summary.warnings.push_back(fmt::format("the objective fell by {} at iteration {}; this is a defect",
                                                     before - at.objective, trace.size()));
      stop_ = Stop::objective_fell;
      return false;
    }
    if (run_.cancelled()) {
      save(true);
      stop_ = Stop::interrupted;
      return false;
    }
    const double change = rule_.must_rise ? at.objective - before : std::abs(at.objective - before);
    if (change < std::max(rule_.least_rise, rule_.objective_tolerance * std::abs(at.objective))) {
      stop_ = Stop::converged;
      return false;
    }
    stop_ = Stop::iteration_limit;
    return trace.size() < rule_.max_iterations;
  }

  EmResult finish(std::vector<double> parameters, Stop stop) {
    if (stop == Stop::converged) {
      report(0.0);
      Expectation last = expect_at(parameters);
      result_.summary.objective.push_back(last.objective);
      result_.statistics = std::move(last.statistics);
    } else if (result_.statistics.empty()) {
      result_.statistics = expect_at(parameters).statistics;
    }
    return finish_here(std::move(parameters), stop);
  }

  EmResult finish_here(std::vector<double> parameters, Stop stop) {
    result_.parameters = std::move(parameters);
    result_.summary.stop = stop;
    return std::move(result_);
  }

  void report(double change) {
    if (!run_.observer || stage_.empty()) return;
    run_.observer({"fitting", way_done_.percent(change), 100.0, "%"});
  }

  // A cycle starts afresh from its parameters, so they are all there is to keep.
  void save(bool urgent) {
    if (!run_.save || stage_.empty()) return;
    if (!urgent || kept_.parameters.empty())
      kept_ = {std::string(stage_), result_.summary.iterations(), point_, result_.summary.objective, false};
    kept_.urgent = urgent;
    run_.save(kept_);
  }

  void resume() {
    if (!run_.resume || stage_.empty()) return;
    const Checkpoint* kept = run_.resume(stage_);
    if (kept == nullptr) return;
    if (kept->parameters.size() != point_.size()) {
      fail(ErrorKind::bad_data, "the checkpoint belongs to other data or options; start without --resume");
    }
    point_ = kept->parameters;
    result_.summary.objective = kept->objective;
  }

  const EmProblem& problem_;
  EmRule rule_;
  const RunContext& run_;
  std::string_view stage_;
  ThreadCollective collective_;
  std::vector<double> point_;
  EmResult result_;
  Stop stop_ = Stop::iteration_limit;
  bool stopped_ = false;
  WayDone way_done_{rule_.tolerance};
  Checkpoint kept_;
};

}  // namespace

std::vector<double> expect(const EmProblem& problem, std::span<const double> parameters, double inverse_temperature,
                           const Collective& collective) {
  std::vector<double> prepared;
  if (problem.prepare) prepared = problem.prepare(parameters);
  const std::span<const double> given = problem.prepare ? std::span<const double>(prepared) : parameters;
  return collective.sum(problem.leaf_count, problem.statistic_count, [&](std::size_t leaf, std::span<double> sums) {
    problem.accumulate(given, leaf, inverse_temperature, sums);
  });
}

EmResult run_em(const EmProblem& problem, std::vector<double> start, const EmRule& rule, const RunContext& run,
                std::string_view stage, std::vector<double> trace) {
  return EmLoop(problem, std::move(start), rule, run, stage, std::move(trace)).go();
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
