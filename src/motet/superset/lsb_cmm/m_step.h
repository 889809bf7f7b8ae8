// The regressions of all sticks at once, equation (15), by truncated Newton steps.
//
// A step solves H_k d_k = g_k by conjugate gradients for all sticks in the same passes over the rows
// (products in single precision: only the direction depends on them), then every stick takes its own
// length, halved until its objective does not fall; g and the objective are in double precision.
// A stick whose gain would be small against the others' takes a step with the bound of Boehning
// instead, which needs no pass.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "motet/base/parallel.h"
#include "motet/superset/lsb_cmm/curvature.h"
#include "motet/superset/lsb_cmm/e_step.h"
#include "motet/superset/lsb_cmm/lsb_rows.h"

namespace motet::superset {

inline constexpr double boehning = 0.25;    // s (1 - s) is never more
inline constexpr double spare_mass = 1e-3;  // items; a component of less goes

struct MStepRule {
  std::size_t steps = 2;         // Newton steps; one is too few: accuracy falls by several points
  std::size_t inner = 4;         // of conjugate gradients in the first step, at most; one less in the others
  double inner_tolerance = 0.2;  // of the residual, relative, that ends them
  double small_gain = 1e-3;      // of the mean gain: sticks below it take the bound's step
  double flat = 1e-7;            // sticks whose slope is nowhere more than this, an item that reaches them, stay
};

struct MStepOutcome {
  std::size_t passes = 0;  // products with x and x', both together
  double gain = 0.0;       // of the objective
};

// Changes parameters.w. `sums` and `kept` come from the E-step at the same w; kept.curvature is overwritten.
// `scale`: how many items a row stands for.
MStepOutcome m_step(const LsbRows& rows, LsbParameters& parameters, const EStepSums& sums, const LsbKept& kept,
                    const StickCurvature& curvature, const MStepRule& rule, double scale, Threads threads);

// -1/2 sum_k w_k' P w_k
double log_prior(const LsbParameters& parameters, const LsbPrior& prior);

}  // namespace motet::superset
