// The one loop of every fit: records the objective, guards that it never falls, finds the end, keeps checkpoints,
// goes on from one, tells progress and can be cancelled. What is fitted is anything that can state its objective
// and take a step.
//
//   resume                                 stop with
//   repeat  keep; record(objective())      objective_fell, interrupted, converged (rise), iteration_limit
//           save; step()                   converged (change, or nowhere to go)
#pragma once

#include <functional>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "motet/base/run.h"

namespace motet {

struct Step {
  double change =
      std::numeric_limits<double>::infinity();  // of the state; at most the tolerance: this was the last step
  std::optional<Stop> stop;                     // there is no step to take, and why; the state is as it was
};

struct Iterated {
  std::function<double()> objective;  // at the state; asked once after each step, so an E-step may be in it
  std::function<Step()> step;

  // The state before its objective is asked, as numbers to go on from; none: it cannot go on from here. May be empty.
  std::function<std::vector<double>()> keep;
  std::function<bool(std::span<const double>)> take;  // the same back; false: they are not of this fit

  // Empty: a fall is a defect, recorded and warned of. Else falls beyond least_rise may be, also to no number: this
  // goes back to the state before the step and returns the warning.
  std::function<std::string(double fall, std::size_t iteration)> go_back;
};

struct IterationRule {
  std::size_t max_iterations = 2000;
  double tolerance = 0.0;      // largest change of the state that ends the fit
  double relative_rise = 0.0;  // of the objective, below which the fit ends; 0: only least_rise counts
  double least_rise = 0.0;     // the same, not relative; -infinity: no rise is too small
  double allowed_fall =
      1e-10;  // of a sum of many terms by rounding alone, relative to its size or to 1 if that is larger
  bool must_rise =
      true;  // false: steps answer to more than the objective; a small change of it either way ends the fit
};

// `stage` names the fit in checkpoints; one without is neither kept nor told of. `trace` are the objectives of steps
// that led to the state, its own last.
FitSummary iterate(const Iterated& fit, const IterationRule& rule, const RunContext& run, std::string_view stage,
                   std::vector<double> trace = {});

}  // namespace motet
