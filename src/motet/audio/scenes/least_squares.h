// Linear regression without a penalty: the weights of least squared error, of these the shortest where there are more
// features than rows.
#pragma once

#include <span>
#include <vector>

#include "motet/audio/scenes/examples.h"

namespace motet::audio {

// One weight per column, then the constant.
std::vector<double> least_squares(const Rows2d& rows, std::span<const double> values);

}  // namespace motet::audio
