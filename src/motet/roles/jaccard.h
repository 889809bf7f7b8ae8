// How much two sets, kept as rows of bits, have in common.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "motet/data/bit_matrix.h"

namespace motet::roles {

// |a and b| / |a or b|; 1 of two empty sets. Rows of one length.
double jaccard(std::span<const std::uint64_t> a, std::span<const std::uint64_t> b);

// Of every pair of rows, [a * rows + b].
std::vector<double> pairwise_jaccard(const BitMatrix& sets);

}  // namespace motet::roles
