// What every set of features is to those who use it: sound goes in block by block, rows come out.
//
// Memory does not depend on the length of the recording, and the rows do not depend on the blocks, bit for bit.
#pragma once

#include <cstddef>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "motet/data/sequences.h"

namespace motet::audio {

struct FeatureStream {
  std::vector<std::string> columns;
  std::vector<std::string> units;  // one per column: "dB", "Hz", "degrees", "1" ...
  FrameClock clock;

  // Appends the rows that are complete, row by row. Each channel has the same number of samples.
  std::function<void(std::span<const std::span<const float>> channels, std::vector<double>& rows)> push;
  std::function<void(std::vector<double>& rows)> finish;  // the rest; nothing is pushed after it

  std::vector<std::string> warnings{};  // of what these options make of this sample rate
};

// The sound that will be pushed.
struct SoundShape {
  double sample_rate = 0.0;  // Hz
  std::size_t channels = 1;
};

}  // namespace motet::audio
