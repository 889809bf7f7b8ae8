// Nearest-neighbour density differences, without class priors.
//
// The original takes for each class, from its prior, the number K of rows it should
// have, r = the least distance of any row to its K-th neighbour, n_i = the number of rows
// within r of row i, and asks for the row with the greatest n_i - n_j over rows j within
// t r, with t growing. We know no priors: K = 2h, since an event lasts about that long,
// and the scores of t = 1, 2, 4, 8 are computed once and take turns; a row within t r of a
// better one waits until no other is left, where the original stops asking around a class
// that it found. Distances are in units of the columns' standard deviations.
#pragma once

#include <cstdint>
#include <vector>

#include "motet/base/run.h"
#include "motet/data/features.h"

namespace motet::discover {

constexpr std::size_t most_nndm_rows = 20'000;

// All rows in the order in which to ask. Throws Error{usage} beyond most_nndm_rows rows.
std::vector<std::uint32_t> nndm_order(const Features& features, std::size_t radius, const RunContext& run);

}  // namespace motet::discover
