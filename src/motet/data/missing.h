// Values that a file leaves out: read as NaN, and filled in before anything is learnt or decided. Each is taken as the
// middle value of its column, which is a value that the column has, so that counts stay counts and Booleans Booleans.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "motet/data/number_table.h"

namespace motet {

// The lower median of the values that are there, one per column; 0 for a column without any.
std::vector<double> middle_values(const NumberTable& numbers);

// Puts `fill`, one per column, where a value is missing; returns how many there were.
std::size_t fill_missing(NumberTable& numbers, std::span<const double> fill);

std::size_t count_missing(const NumberTable& numbers);

}  // namespace motet
