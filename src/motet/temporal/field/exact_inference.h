// Sums and maxima over all labellings, where there are not too many (exact_chain.h).
#pragma once

#include <cstdint>
#include <span>

#include "motet/base/parallel.h"
#include "motet/temporal/field/field.h"
#include "motet/temporal/field/field_problem.h"

namespace motet::temporal {

// Exact marginals by forward-backward over tuples of h components, K^h states (h no more than the rows
// of the longest sequence less one). Returns log sum_Z exp(-U(Z)) p(X | Z). Throws Error{usage} when
// there are more than most_exact_states, and for an image.
constexpr std::size_t most_exact_states = 4096;
double exact_marginals(const FieldProblem& problem, const TimeField& field, Threads threads,
                       std::span<double> responsibilities);
// The most probable Z, and its log of exp(-U(Z)) p(X | Z).
double exact_mode(const FieldProblem& problem, const TimeField& field, std::span<std::uint8_t> states);

}  // namespace motet::temporal
