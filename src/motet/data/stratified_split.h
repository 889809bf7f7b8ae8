// Splits of multi-label items in which every label keeps its share.
//
// Iterative stratification (Sechidis, Tsoumakas, Vlahavas 2011): the rarest label that is
// left is dealt out first, each of its items to the fold that lacks most of it.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "motet/base/rng.h"
#include "motet/data/bit_matrix.h"

namespace motet {

// The fold of each row. `shares` are the wanted sizes, positive, and need not sum to 1.
// Ties go to the fold that lacks most items, then by lot.
std::vector<std::uint32_t> stratified_folds(const BitMatrix& sets, std::span<const double> shares, Seed seed);

}  // namespace motet
