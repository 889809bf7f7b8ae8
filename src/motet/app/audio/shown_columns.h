// Names of columns as people read them beside a picture: bands and frequencies with their Hz.
#pragma once

#include <string>
#include <vector>

#include "motet/app/audio/row_text.h"

namespace motet::audio {

// "hz_21963.867188" is "21964 Hz" and "mel3" "mel3 412 Hz", the centre of its band; others stay as they are. Without a
// sample rate nothing is known of bands.
std::vector<std::string> shown_columns(const RowShape& shape, double sample_rate);

}  // namespace motet::audio
