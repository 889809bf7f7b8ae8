// A hidden Markov chain over the components of the rows of a sequence (Rabiner 1989):
//
//   p(z_1 = k) = start_k,   p(z_{n+1} = k | z_n = j) = transition_jk
//
// in place of the field: the next row depends on the present one alone, and components
// last as long as their own transitions say.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "motet/temporal/field/field_problem.h"
#include "motet/temporal/mixture/mixture.h"

namespace motet::temporal {

// Expected counts of a chain: K of starts, then K^2 of transitions.
std::size_t chain_count(std::size_t components);

// The most probable chain given expected counts and a prior worth one transition from each component and one start,
// spread evenly; and the logarithm of that prior, up to a constant.
HiddenChain chain_from_counts(std::span<const double> counts, std::size_t components);
double log_chain_prior(const HiddenChain& chain);

// Forward-backward on the sequence of rows begin ... end - 1 of the problem, each row scaled to its largest density.
// Returns log p(x, labels); p(z_n = k | x, labels) goes to responsibilities[k * rows + n], and expected counts are
// added to `counts` unless it is empty. A row that no component can explain makes the result -inf and is left to
// its neighbours.
double chain_posterior(const FieldProblem& problem, const AllowedComponents& allowed, const HiddenChain& chain,
                       std::size_t begin, std::size_t end, std::span<double> responsibilities,
                       std::span<double> counts);

// The most probable path of the same rows (Viterbi 1967); returns log p(x, path).
double chain_path(const FieldProblem& problem, const AllowedComponents& allowed, const HiddenChain& chain,
                  std::size_t begin, std::size_t end, std::span<std::uint8_t> states);

}  // namespace motet::temporal
