// Damped Newton ascent with lower bounds, for smooth objectives of a few hundred
// parameters that know their own Hessian.
//
// Step: x + t (-H + lambda diag|H|)^-1 g on the free parameters, lambda = 0 where H
// is negative definite, else the smallest power of ten that makes it so; t = 1, 1/2,
// ... until the objective rises. A parameter at its bound whose slope points outward
// is held. Ends when the Newton decrement g' (-H)^-1 g, which is in units of the
// log-likelihood whatever the units of the data, is far below rounding.
#pragma once

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

// Inverse of a symmetric positive definite matrix, row by row; empty when it is
// singular: after scaling to ones on the diagonal, the least eigenvalue is under 1e-9.
std::vector<double> inverse_of_information(std::span<const double> information, std::size_t size);

}  // namespace motet
