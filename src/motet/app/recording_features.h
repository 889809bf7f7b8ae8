// Features of a recording: the file read block by block, one row per window.
#pragma once

#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "motet/app/verb.h"
#include "motet/audio/feature_sets.h"
#include "motet/base/run.h"
#include "motet/data/features.h"

namespace motet {

// How recordings become rows; every verb that takes recordings has these options.
struct RecordingOptions {
  audio::FeatureOptions features;
  std::size_t channel = 0;  // the first is 1; 0: the mean of all
  double rate = 0.0;        // Hz that they are brought to; 0: as they are
};

template <class V>
void visit_fields(V& v, RecordingOptions& o) {
  visit_fields(v, o.features);
  v("channel", o.channel, Range<std::size_t>{0, 1024}, "of the recordings, the first is 1; 0: the mean of all");
  v("rate", o.rate, Range<double>{0.0, 1e7}, "samples per second that recordings are brought to; 0: as they are");
}

// With the preset, and the usual window and hop of the sets, in the place of what was not given.
RecordingOptions settled(RecordingOptions options, const VerbContext& context);

// What was heard of one recording.
struct Heard {
  std::vector<std::string> columns;
  std::vector<std::string> units;
  FrameClock clock;
  double sample_rate = 0.0;  // of what the features were computed from
  double file_rate = 0.0;    // of the file
  std::size_t channels = 0;  // of the file
  std::size_t rows = 0;
  double seconds = 0.0;               // of sound that was read
  std::vector<std::string> warnings;  // such as a recording cut short
};

// Some rows, complete ones, in their order; `heard` has names and clock already.
using RowTaker = std::function<void(const Heard& heard, std::span<const double> rows)>;

// Memory does not depend on the length of the recording. Throws Error{bad_data} for a file that cannot be read, holds
// nothing or is shorter than a window: "x.wav: 0.1 s are shorter than the window of 0.25 s".
Heard hear_recording(const std::string& path, const RecordingOptions& options, const RunContext& run,
                     const RowTaker& take);

struct RecordingFeatures {
  Features features;                  // one sequence, named after the file without its folder
  double seconds = 0.0;               // of sound that was read
  double file_rate = 0.0;             // samples per second of the file
  double sample_rate = 0.0;           // of what the features were computed from
  std::vector<std::string> warnings;  // such as a recording cut short
};

// The same with all rows in memory.
RecordingFeatures recording_features(const std::string& path, const RecordingOptions& options, const RunContext& run);

}  // namespace motet
