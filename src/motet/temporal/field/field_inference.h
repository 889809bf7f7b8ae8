// What the field and the densities together say of the hidden components.
//
// Densities are a table of log p(x_n | z_nk = 1), component by component: the value
// of row n and component k is densities[k * rows + n]. Labels restrict a row to the
// components of its class (5.40); all of it happens in the log domain (A6).
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "motet/base/parallel.h"
#include "motet/temporal/field/field.h"

namespace motet::temporal {

struct FieldProblem {
  std::span<const std::size_t> starts;  // of the sequences, and the number of rows at the end
  std::span<const double> densities;    // components x rows
  std::size_t components = 0;
  std::span<const std::int32_t> labels;    // class a row, -1: unknown; or empty
  std::span<const std::int32_t> of_class;  // class a component; empty when labels are

  std::size_t rows() const { return starts.back(); }
};

// Iterated conditional modes (5.33): rows in order, ties keep the present component, else the
// smallest; sweeps until nothing changes, at most `most_sweeps`. `states` is the start and the
// result. The cost of a sweep does not depend on the radius when the shape is linear or
// quadratic: sums of the neighbours' weights slide along (but the 2 h rows near the ends
// of a quadratic field of whole cliques cost O(h) each). Returns the number of sweeps, the
// last of which changes nothing unless it is number most_sweeps.
std::size_t icm(const FieldProblem& problem, const TimeField& field, std::span<std::uint8_t> states,
                std::size_t most_sweeps = 50);
// The same by the definition, O(h) a row: what the tests compare with.
std::size_t icm_by_definition(const FieldProblem& problem, const TimeField& field, std::span<std::uint8_t> states,
                              std::size_t most_sweeps = 50);

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

// Mean field: q_nk ~ p(x_n | z_nk) exp(sum_i w_i q_ik), swept until no q changes by more than `tolerance`.
// `responsibilities` is the start and the result; a row of zeros starts with equal shares. Returns the
// variational bound on log sum_Z exp(-U(Z)) p(X | Z), that is on log p(X) + log of the partition
// function; it never falls.
double mean_field(const FieldProblem& problem, const TimeField& field, std::size_t most_sweeps, double tolerance,
                  std::span<double> responsibilities);

// Exact marginals by forward-backward over tuples of h components, K^h states (h no more than the rows
// of the longest sequence less one). Returns log sum_Z exp(-U(Z)) p(X | Z). Throws Error{usage} when
// there are more than most_exact_states, and for an image.
constexpr std::size_t most_exact_states = 4096;
double exact_marginals(const FieldProblem& problem, const TimeField& field, Threads threads,
                       std::span<double> responsibilities);
// The most probable Z, and its log of exp(-U(Z)) p(X | Z).
double exact_mode(const FieldProblem& problem, const TimeField& field, std::span<std::uint8_t> states);

// U(Z) of one labelling (5.8), all sequences.
double energy(std::span<const std::size_t> starts, const TimeField& field, std::span<const std::uint8_t> states);

// The strength of the field that maximises the pseudo-likelihood prod_n p(z_n | neighbours) of the states
// (I2): concave in one dimension. The total weight is kept between 0 and `most_total` nats; states without
// a change go to the cap, and 0 comes back when there is nothing to choose from: one component, no
// neighbours. The strength that `field` has is not looked at.
double pseudo_likelihood_strength(std::span<const std::size_t> starts, std::size_t components, const TimeField& field,
                                  std::span<const std::uint8_t> states, double most_total);

}  // namespace motet::temporal
