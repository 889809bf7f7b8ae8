// Many values of one feature and label set as few that can be asked again and again.
//
// A log density l is smooth in t = log|x|. Where many values lie in a short piece of t, the sum of l over them is the
// sum over 12 Chebyshev nodes of the piece, each with the sum of its Lagrange polynomial at the values for a weight:
//   sum_n l(x_n) = sum_j W_j l(node_j), W_j = sum_n l_j(t_n)
// to about 1e-12 per value for pieces that are short against the spread. Weights are made once, whatever parameters l
// gets later, so that a step of a fit costs the same for a thousand and a million items.
#pragma once

#include <span>
#include <vector>

#include "motet/sources/statistics/set_statistics.h"

namespace motet::multilabel {

// Pieces are `piece` interquartile ranges of log|x| long. Values that are few in their piece, and zeros, stay.
std::vector<WeightedValue> condensed(std::span<const WeightedValue> values, double piece);

}  // namespace motet::multilabel
