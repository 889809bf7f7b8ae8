// Linear discriminant: one covariance for all classes, the mean of theirs, each shrunk to its
// diagonal with the weight of Ledoit and Wolf (2004); what scikit-learn calls shrinkage = "auto".
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "motet/multilabel/baselines/baseline_data.h"

namespace motet::multilabel {

std::vector<std::uint32_t> linear_discriminant(const BaselineData& data, std::span<const std::uint32_t> of,
                                               std::size_t count, const RunContext& run);

}  // namespace motet::multilabel
