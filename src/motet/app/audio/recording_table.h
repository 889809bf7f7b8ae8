// Recordings where a verb of another task takes a table of features.
#pragma once

#include <string>
#include <vector>

#include "motet/app/audio/inputs.h"
#include "motet/app/recording_features.h"

namespace motet::audio {

// The first argument is a folder or ends like a recording. A table beside recordings would be an error of reading.
bool are_recordings(const std::vector<std::string>& arguments);

struct RecordingTable {
  Features features;  // a sequence per recording, in their order
  std::vector<std::string> warnings;
};

// Hears them side by side. A recording that cannot be heard is an error: nothing that is learnt would tell that it is
// missing.
RecordingTable recording_table(const std::vector<std::string>& arguments, const RecordingOptions& options,
                               const RunContext& run);

}  // namespace motet::audio
