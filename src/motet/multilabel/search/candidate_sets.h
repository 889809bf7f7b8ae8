// The label sets of a decision, written out.
#pragma once

#include <cstddef>

#include "motet/data/bit_matrix.h"

namespace motet::multilabel {

constexpr std::size_t most_enumerated = std::size_t{1} << 16;

// Sets of at most `degree` of so many labels; a double, because 2^K has no other place.
double count_sets(std::size_t labels, std::size_t degree, bool with_empty);

// The same sets, by degree, then by their labels.
BitMatrix enumerate_sets(std::size_t labels, std::size_t degree, bool with_empty);

}  // namespace motet::multilabel
