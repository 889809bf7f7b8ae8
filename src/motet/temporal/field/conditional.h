// What the neighbours of a row, labelled as they are, and its own densities say of it.
#pragma once

#include <cstdint>
#include <span>

#include "motet/base/parallel.h"
#include "motet/temporal/field/field.h"
#include "motet/temporal/field/field_problem.h"

namespace motet::temporal {

// log p(z_nk | neighbours) up to a constant of n: sum_d w_d ([z_{n-d} = k] + [z_{n+d} = k]), components x rows.
void neighbour_weights(const FieldProblem& problem, const TimeField& field, std::span<const std::uint8_t> states,
                       std::span<double> weights);

// Responsibilities given the states of the neighbours (5.35), (5.40), components x rows; returns the
// pseudo log-likelihood sum_n log sum_k p(z_nk | neighbours) p(x_n | z_nk), k among the components of
// its class in a labelled row. A row that no component can explain (densities all -inf) follows its
// neighbours; the result is then -inf, as it is below.
double conditional_responsibilities(const FieldProblem& problem, const TimeField& field,
                                    std::span<const std::uint8_t> states, Threads threads,
                                    std::span<double> responsibilities);

// U(Z) of one labelling (5.8), all sequences.
double energy(std::span<const std::size_t> starts, const TimeField& field, std::span<const std::uint8_t> states);

}  // namespace motet::temporal
