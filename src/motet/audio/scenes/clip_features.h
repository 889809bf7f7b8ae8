// One row of features for a whole clip: the mean of the rows of its frames, or one frame of them.
#pragma once

#include <string>
#include <vector>

#include "motet/audio/feature_sets.h"
#include "motet/base/fields.h"
#include "motet/data/sound.h"

namespace motet::audio {

struct ClipOptions {
  std::string set = "sfi-st";
  std::size_t frame = 0;  // the first is 1; 0: the mean of all
  double window = 0.8;    // s
  double hop = 0.8;
  MfccStyle mfcc_style = MfccStyle::slaney;
  SfiOptions sfi;
  AsaOptions asa;
  MusicOptions music;
  std::size_t channel = 1;
  double rate = 0.0;
};

template <class V>
void visit_fields(V& v, ClipOptions& o) {
  v("set", o.set, Text{"NAMES"}, "sets of features, joined by commas");
  v("frame", o.frame, Range<std::size_t>{0, 1'000'000},
    "row that stands for its clip, the first is 1 (published: 15); 0: the mean of all");
  v("window", o.window, Range<double>{0.001, 60.0}, "seconds of a row");
  v("hop", o.hop, Range<double>{0.001, 60.0}, "seconds from a row to the next");
  v("mfcc_style", o.mfcc_style, Choices{{"librosa", "slaney"}}, "of the set mfcc");
  visit_fields(v, o.sfi);
  visit_fields(v, o.asa);
  visit_fields(v, o.music);
  v("channel", o.channel, Range<std::size_t>{0, 1024},
    "that sets of one channel hear, the first is 1; 0: the mean of all");
  v("rate", o.rate, Range<double>{0.0, 1e7}, "samples per second that clips are brought to; 0: as they are");
}

struct ClipRow {
  std::vector<std::string> columns;
  std::vector<double> values;
};

// `clip` is at its rate already. Throws Error{bad_data} for a clip that is too short: "0.5 s hold no row of 0.8 s", and
// Error{usage} "there is no channel 3; it has 2".
ClipRow clip_features(const Sound& clip, const ClipOptions& options);

}  // namespace motet::audio
