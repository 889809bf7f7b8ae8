// Logistic regression, multinomial for more than two classes: least C sum of losses + |w|^2 / 2,
// C = 0.1, intercepts free. By descent: the problem is convex, so every start ends in the one optimum.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "motet/multilabel/baselines/baseline_data.h"

namespace motet::multilabel {

std::vector<std::uint32_t> logistic_regression(const BaselineData& data, std::span<const std::uint32_t> of,
                                               std::size_t count, const RunContext& run);

}  // namespace motet::multilabel
