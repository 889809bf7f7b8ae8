// Gaussian sources (lognormal: of the logarithms): means.
#pragma once

#include <span>
#include <vector>

#include "motet/base/parallel.h"
#include "motet/data/bit_matrix.h"
#include "motet/multilabel/theory/precision.h"

namespace motet::multilabel {

Precision gaussian_location_precision(const Sources& sources, const BitMatrix& sets, std::span<const double> count,
                                      Threads threads);
std::vector<SetFit> gaussian_set_fits(const Sources& sources, const SetStatistics& statistics, Threads threads);

}  // namespace motet::multilabel
