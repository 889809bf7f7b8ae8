// How the fits of this folder iterate.
#pragma once

#include <cstddef>
#include <span>

#include "motet/engine/em.h"
#include "motet/multilabel/options.h"

namespace motet::multilabel {

// A rise that is tiny beside the objective ends a fit as well: a variance or rate whose best value
// is 0 creeps there for ever. A tolerance near the precision of numbers asks for all digits and
// waits for the parameters alone.
inline EmRule em_rule(const TrainOptions& options) {
  constexpr double all_digits = 1e-11;
  EmRule rule;
  rule.max_iterations = options.max_iterations;
  rule.tolerance = options.tolerance;
  rule.objective_tolerance = options.tolerance >= all_digits ? 1e-4 * options.tolerance : 0.0;
  return rule;
}

// An extrapolation that leaves the positive numbers goes a good part of the way to 0 instead.
inline void keep_positive(std::span<const double> em_point, std::span<double> candidate) {
  for (std::size_t i = 0; i < candidate.size(); ++i) {
    if (!(candidate[i] > 0.0)) candidate[i] = 0.1 * em_point[i];
  }
}

// The engine's view of a fit, which outlives it as `run` does. The leaves of one on statistics are label sets. What
// its parameters alone say of the objective, and how a candidate is brought to where it has a meaning, it need not say.
template <class Fit>
EmProblem em_problem_of(const Fit& fit, std::size_t parameters, const RunContext& run) {
  EmProblem em;
  em.leaf_count = fit.leaves();
  em.statistic_count = 1 + parameters;
  em.prepare = [&](std::span<const double> at) {
    if constexpr (requires { fit.prepare(at, run); }) {
      return fit.prepare(at, run);
    } else if constexpr (requires { fit.prepare(at, run.threads); }) {
      return fit.prepare(at, run.threads);
    } else {
      return fit.prepare(at);
    }
  };
  em.accumulate = [&](std::span<const double> prepared, std::size_t leaf, double, std::span<double> statistics) {
    fit.accumulate(prepared, leaf, statistics);
  };
  em.maximise = [&](std::span<const double> statistics, std::span<const double> at) {
    return fit.maximise(statistics, at);
  };
  if constexpr (requires(std::span<const double> at) { fit.log_prior(at); }) {
    em.log_prior = [&](std::span<const double> at) { return fit.log_prior(at); };
  }
  if constexpr (requires(std::span<const double> point, std::span<double> candidate) {
                  fit.project(point, candidate);
                }) {
    em.project = [&](std::span<const double> point, std::span<double> candidate) { fit.project(point, candidate); };
  }
  return em;
}

// The fit of `em_problem_of`: every process holds the statistics of all label sets.
inline EmResult fit_on_sets(const EmProblem& em, std::vector<double> start, const TrainOptions& options,
                            RunContext run) {
  run.threads = run.threads.here();
  return run_em(em, std::move(start), em_rule(options), run, "deconvolution");
}

}  // namespace motet::multilabel
