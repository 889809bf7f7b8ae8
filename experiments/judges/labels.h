// How well labels and estimates agree with the truth. Pure functions.
#pragma once

#include <cstdint>
#include <span>

namespace motet::judges {

// Share of items whose label is the true one; items of unknown truth (negative) do not
// count. NaN when none is known.
double label_accuracy(std::span<const std::int32_t> truth, std::span<const std::int32_t> labels);

// Mean of |a - b| over pairs where both are numbers; NaN when there is none.
double mean_absolute_error(std::span<const double> a, std::span<const double> b);

}  // namespace motet::judges
