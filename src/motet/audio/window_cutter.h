// Windows out of sound that comes block by block: row i of the clock is handed on once all of it is there.
//
// It starts at sample round(i hop rate), as the rows of all sets do. A set that looks further back than its row can ask
// for more samples before it; the first rows then have what there is.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "motet/audio/feature_stream.h"

namespace motet::audio {

// A window of all channels.
using FrameWork = std::function<void(std::span<const std::span<const float>> frame)>;

class WindowCutter {
 public:
  // `context`: seconds of each frame, counted back from its end, where that is more than its window. Throws
  // Error{usage} for a window or hop of less than a sample.
  WindowCutter(const FrameClock& clock, const SoundShape& sound, double context = 0.0);

  void push(std::span<const std::span<const float>> channels, const FrameWork& work);

 private:
  std::int64_t start_of(std::int64_t row) const;
  void take(std::span<const std::span<const float>> channels, std::size_t first, std::size_t count);
  void hand_on(const FrameWork& work);
  void drop_before(std::int64_t sample);

  double hop_;  // samples
  std::int64_t window_;
  std::int64_t context_;
  std::int64_t next_row_ = 0;
  std::int64_t first_ = 0;  // number of the first sample that is kept
  std::vector<std::vector<float>> kept_;
};

// A set of which each row is a function of its frame alone.
FeatureStream stream_of_frames(std::vector<std::string> columns, std::vector<std::string> units,
                               const FrameClock& clock, WindowCutter cutter,
                               std::function<void(std::span<const std::span<const float>>, std::vector<double>&)> row);

}  // namespace motet::audio
