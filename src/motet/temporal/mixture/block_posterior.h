// Responsibilities of 64 rows at a time, by vector instructions.
#pragma once

#include <cstddef>

namespace motet::temporal {

constexpr std::size_t posterior_rows = 64;

// table: log joint probabilities, components x posterior_rows, of which the first `count` rows matter and the rest
// is finite; -inf for what cannot be, though not for all components of a row. They become responsibilities.
// Returns the sum over rows of log sum_k exp.
double posterior_of_block(double* table, std::size_t components, std::size_t count);

}  // namespace motet::temporal
