// Features of a recording: the file read block by block, one row a window.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "motet/audio/mfcc.h"
#include "motet/base/run.h"
#include "motet/data/features.h"

namespace motet {

struct RecordingFeatures {
  Features features;                  // one sequence, named after the file without its folder
  double seconds = 0.0;               // of sound that was read
  std::vector<std::string> warnings;  // such as a recording cut short
};

// Memory is that of the rows, whatever the length of the recording. `channel`: the first is 1; none: the
// mean of all. Throws Error{bad_data} for a file that cannot be read, holds nothing or is shorter than a
// window: "x.wav: 0.1 s are shorter than the window of 0.25 s".
RecordingFeatures recording_features(const std::string& path, const audio::MfccOptions& options,
                                     std::optional<std::size_t> channel, const RunContext& run);

}  // namespace motet
