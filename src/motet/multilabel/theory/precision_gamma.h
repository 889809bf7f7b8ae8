// Gamma sources: shapes that add, one rate for all.
#pragma once

#include <span>

#include "motet/data/bit_matrix.h"
#include "motet/multilabel/theory/precision.h"

namespace motet::multilabel {

Precision gamma_location_precision(const Sources& sources, const BitMatrix& sets, std::span<const double> count);

}  // namespace motet::multilabel
