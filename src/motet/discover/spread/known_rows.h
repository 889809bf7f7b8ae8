// Rows whose class the answers tell well enough that nobody need be asked about them before all others.
#pragma once

#include <cstdint>
#include <vector>

#include "motet/discover/spread/spread.h"

namespace motet::discover {

constexpr double usual_known_level = 0.95;

// 1: the row lies in a stretch that touches an event of its class with a chance of `level` at least, or within the
// exclusion of one in the same sequence, where a question would most likely hear the same event. Rows of stretches that
// may be something else stay 0, and so does what no class claims. Such rows must be asked last, not never: what the
// model is sure of is no guarantee.
std::vector<std::uint8_t> rows_taken_as_known(const Features& features, const Discovery& discovery,
                                              const Spread& spread, double level = usual_known_level);

}  // namespace motet::discover
