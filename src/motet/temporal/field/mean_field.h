// Shares of the components of each row, given those of its neighbours: a bound where all labellings are too many.
#pragma once

#include <span>

#include "motet/temporal/field/field.h"
#include "motet/temporal/field/field_problem.h"

namespace motet::temporal {

// Mean field: q_nk ~ p(x_n | z_nk) exp(sum_i w_i q_ik), swept until no q changes by more than `tolerance`.
// `responsibilities` is the start and the result; a row of zeros starts with equal shares. Returns the
// variational bound on log sum_Z exp(-U(Z)) p(X | Z), that is on log p(X) + log of the partition
// function; it never falls.
double mean_field(const FieldProblem& problem, const TimeField& field, std::size_t most_sweeps, double tolerance,
                  std::span<double> responsibilities);

}  // namespace motet::temporal
