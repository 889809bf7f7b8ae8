// Quantiles of samples.
#pragma once

#include <array>
#include <vector>

namespace motet {

// The value below which a share of the values lies, between two of them by the straight line (type 7); 0 of none.
double quantile_of(std::vector<double> values, double share);

// 0, 25, 50, 75 and 100 % of them.
std::array<double, 5> quartiles_of(std::vector<double> values);

}  // namespace motet
