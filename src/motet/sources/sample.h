// Random items from sources.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "motet/base/rng.h"
#include "motet/data/bit_matrix.h"
#include "motet/sources/sources.h"

namespace motet {

// One emission of a source: D numbers.
std::vector<double> sample_emission(const Sources& sources, std::size_t source, Rng& rng);

// One item with this label set, noise included. The empty set without a background is an error.
std::vector<double> sample_item(const Sources& sources, std::span<const std::uint64_t> set, Rng& rng);

// One item per row of `sets` (rows x D); each row has its own stream, child(row) of `rng`.
std::vector<double> sample_items(const Sources& sources, const BitMatrix& sets, const Rng& rng);

double sample_gamma(double shape, Rng& rng);  // rate 1
double sample_poisson(double rate, Rng& rng);

}  // namespace motet
