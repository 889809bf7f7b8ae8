// Many recordings to one file of rows: heard side by side, written in their order, with memory that depends neither on
// their lengths nor on their number.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "motet/app/audio/inputs.h"
#include "motet/app/audio/row_picture.h"
#include "motet/app/audio/row_text.h"
#include "motet/app/recording_features.h"

namespace motet::audio {

struct FeatureRunOptions {
  RecordingOptions recordings;  // settled
  std::string out;
  std::string manifest;      // may be empty
  bool is_strict = false;    // a recording that cannot be heard ends the run
  std::size_t pictures = 0;  // of how many recordings, the first ones
};

// What became of one recording.
struct FeatureRunEntry {
  NamedRecording recording;
  Heard heard;          // without rows when it failed
  std::string failure;  // empty: it was heard
  std::optional<RowPicture> picture;
};

struct FeatureRunResult {
  RowShape shape;
  std::size_t rows = 0;
  std::vector<FeatureRunEntry> entries;
};

// Throws the first failure when no recording could be heard, and at once when is_strict. What was finished stays in the
// manifest when a run is interrupted.
FeatureRunResult run_features(const std::vector<NamedRecording>& recordings, const FeatureRunOptions& options,
                              const RunContext& run);

// The options as names and values.
Value options_value(RecordingOptions options);

}  // namespace motet::audio
