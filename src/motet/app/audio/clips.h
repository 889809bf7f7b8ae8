// Lists of clips with what is known of each, and features of many recordings.
#pragma once

#include <string>
#include <vector>

#include "motet/audio/scenes/clip_features.h"
#include "motet/audio/scenes/study.h"
#include "motet/base/run.h"
#include "motet/data/value.h"

namespace motet::audio {

struct ClipListOptions {
  std::string target = "label";
  std::string source_column = "source";
  std::string response_column = "response";
};

template <class V>
void visit_fields(V& v, ClipListOptions& o) {
  v("target", o.target, Text{"NAME"},
    "column of what is to be learned: classes, or numbers where all of it are numbers");
  v("source_column", o.source_column, Text{"NAME"},
    "column that names the file a clip was made from; without it each clip is its own");
  v("response_column", o.response_column, Text{"NAME"},
    "column that names the impulse response a clip was made with, where there is one");
}

// What the rows of all clips have in common, and what has it: "a.wav", "the model".
struct ClipShape {
  std::vector<std::string> columns;
  double sample_rate = 0.0;  // Hz
  std::string whose;
};

struct LeftOut {
  std::size_t file = 0;
  std::string reason;
};

struct FeaturesOfFiles {
  ClipShape shape;
  Rows2d rows;
  std::vector<std::size_t> files;  // of each row
  std::vector<LeftOut> left_out;
  std::vector<std::string> warnings;
};

struct HearingOptions {
  ClipOptions clips;
  bool is_strict = false;  // a clip that cannot be heard ends it; else it is told and left out
};

// In the order of the files, on all threads. `shape`: what the rows must have; without columns that of the first clip
// that can be heard. Throws what is wrong with the first file where none is left.
FeaturesOfFiles features_of_files(const std::vector<std::string>& files, const HearingOptions& options, ClipShape shape,
                                  const RunContext& run);

struct ClipList {
  std::vector<std::string> files;  // `recording`, from the folder of the list
  Target target;
  std::vector<std::uint32_t> source;
  std::vector<std::uint32_t> response;  // empty: no such column
};

ClipList read_clip_list(const std::string& path, const ClipListOptions& options);

struct HeardClips {
  Clips clips;
  std::vector<std::string> files;  // of the list
  FeaturesOfFiles features;        // without the rows
};

HeardClips read_clips(const std::string& path, const ClipListOptions& list, const HearingOptions& options,
                      const RunContext& run);

// Reasons and warnings in the words of `audio features`, and the reasons as a list of name and reason.
std::vector<std::string> warnings_of(const FeaturesOfFiles& features);
Value left_out_value(const FeaturesOfFiles& features, const std::vector<std::string>& names);

}  // namespace motet::audio
