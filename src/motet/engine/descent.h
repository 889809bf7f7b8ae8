// Minimises a smooth function of many numbers by limited-memory BFGS (Nocedal and Wright 2006,
// chapter 7). Every accepted step satisfies Armijo's rule, so the value never rises, whether the
// function is convex or not; pairs of negative curvature are left out of the memory.
#pragma once

#include <cstddef>
#include <functional>
#include <span>
#include <vector>

#include "motet/base/run.h"

namespace motet {

// Value at w; writes the gradient.
using SmoothFunction = std::function<double(std::span<const double> w, std::span<double> gradient)>;

struct DescentRule {
  std::size_t max_steps = 300;
  double relative_fall = 1e-9;   // of one step, that ends the descent
  double least_gradient = 1e-6;  // largest entry at which a minimum is reached
  std::size_t memory = 10;       // pairs of steps and gradient changes
};

// Moves w. The summary holds minus the value of each step, which never falls; an interrupted
// descent says so and leaves w where it is.
FitSummary descend(const SmoothFunction& function, std::vector<double>& w, const DescentRule& rule,
                   const RunContext& run);

}  // namespace motet
