// Rows that look like noise: single odd rows far from all others (section 8.2, I4).
//
// A row is odd when its k-th nearest row is farther than 3 times the median of that
// distance, in units of the columns' standard deviations. It is noise unless oddness
// lasts: with at least a third of h odd rows (and two) among its 2h neighbours in time
// it is rather an event.
//
// The median is that of 500 rows drawn by lot, each compared with all others. The other
// rows only need k rows within 3 medians, so each looks at its neighbours in time first
// and then at the others in random order until it has found them: all of them up to
// 20,000 rows (exact), beyond that at as many as 400 million comparisons allow, where
// only a group of rows that is rare and also scattered in time can be taken for noise.
#pragma once

#include <cstdint>
#include <vector>

#include "motet/base/run.h"
#include "motet/data/features.h"

namespace motet::discover {

// One per row from `first_row` on, 1: noise. None where more than half of the rows are equal to k others, or k = 0.
std::vector<std::uint8_t> isolated_rows(const Features& features, std::size_t k, std::size_t radius,
                                        std::size_t first_row, const RunContext& run);

}  // namespace motet::discover
