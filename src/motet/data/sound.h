// Sound in memory: one row of samples per channel, all of one length, about -1 to 1.
#pragma once

#include <cstddef>
#include <vector>

namespace motet {

struct Sound {
  double sample_rate = 0.0;  // Hz
  std::vector<std::vector<float>> channels;

  std::size_t samples() const { return channels.empty() ? 0 : channels.front().size(); }
  double seconds() const { return sample_rate > 0.0 ? static_cast<double>(samples()) / sample_rate : 0.0; }
};

}  // namespace motet
