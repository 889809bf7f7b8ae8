// libsvm's C-SVC with exp(-gamma |u - v|^2), C = 3, gamma = 1 / (D x variance of all values); one
// against one for more than two classes. Without probability estimates it has no randomness.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "motet/multilabel/baselines/baseline_data.h"

namespace motet::multilabel {

std::vector<std::uint32_t> support_vectors(const BaselineData& data, std::span<const std::uint32_t> of,
                                           std::size_t count, const RunContext& run);

}  // namespace motet::multilabel
