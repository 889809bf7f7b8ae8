// Newton's method, damped: with lower bounds, for smooth objectives of a few hundred
// parameters that know their own Hessian; and in one dimension, between two ends.
//
// Step: x + t (-H + lambda diag|H|)^-1 g on the free parameters, lambda = 0 where H
// is negative definite, else the smallest power of ten that makes it so; t = 1, 1/2,
// ... until the objective rises. A parameter at its bound whose slope points outward
// is held. Ends when the Newton decrement g' (-H)^-1 g, which is in units of the
// log-likelihood whatever the units of the data, is far below rounding.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <functional>
#include <span>
#include <vector>

#include "motet/base/run.h"

namespace motet {

struct Curvature {
  double value = 0.0;  // -infinity outside the domain; the rest is then unused
  std::vector<double> gradient;
  std::vector<double> hessian;  // row by row, symmetric
};
using CurvatureOf = std::function<Curvature(std::span<const double>)>;

struct NewtonResult {
  std::vector<double> at;
  std::vector<bool> at_bound;
  Curvature curvature;  // at `at`
  FitSummary summary;
};

// `lower` is empty for no bounds. The objective never falls from one step to the
// next by more than rounding (a relative 1e-12).
NewtonResult maximize(const CurvatureOf& curvature_of, std::vector<double> start, std::span<const double> lower,
                      const RunContext& run);

struct Slopes {
  double first = 0.0;
  double second = 0.0;
};

struct Bracket {
  double low = 0.0;
  double high = 0.0;
  bool is_seen = false;  // the maximum lies inside; else an end may be the maximum
};

struct BracketRule {
  std::size_t max_steps = 60;
  double tolerance = 0.0;           // a step that ends the search
  double relative_tolerance = 0.0;  // the same, in units of the place
};

// The maximum of a concave function within a bracket, from x inside. derivatives_at(x) has `first` and `second`. A
// Newton step that leaves what is left of the bracket ends in its middle, or on an end that was not looked at.
template <class DerivativesAt>
double maximum_within(Bracket bracket, double x, const BracketRule& rule, const DerivativesAt& derivatives_at) {
  double low = bracket.low;
  double high = bracket.high;
  bool low_seen = bracket.is_seen;
  bool high_seen = bracket.is_seen;
  for (std::size_t step = 0; step < rule.max_steps; ++step) {
    const auto at = derivatives_at(x);
    if (at.first == 0.0) return x;
    (at.first > 0.0 ? low : high) = x;
    (at.first > 0.0 ? low_seen : high_seen) = true;
    const double done = rule.tolerance + rule.relative_tolerance * std::abs(x);
    double next = at.second < 0.0 ? x - at.first / at.second : (at.first > 0.0 ? bracket.high : bracket.low);
    // Before the bracket is asked: a step below rounding would leave it.
    if (std::abs(next - x) < done) return std::clamp(next, bracket.low, bracket.high);
    if (next >= high) next = high_seen ? 0.5 * (low + high) : high;
    if (next <= low) next = low_seen ? 0.5 * (low + high) : low;
    if (std::abs(next - x) < done) return next;
    x = next;
  }
  return x;
}

// Inverse of a symmetric positive definite matrix, row by row; empty when it is
// singular: after scaling to ones on the diagonal, the least eigenvalue is under 1e-9.
std::vector<double> inverse_of_information(std::span<const double> information, std::size_t size);

}  // namespace motet
