// Clips and their labels: recordings, or a table whose sequences are clips.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "motet/app/verb.h"
#include "motet/base/fields.h"
#include "motet/data/features.h"
#include "motet/data/value.h"
#include "motet/multilabel/clips/clip_train.h"

namespace motet::multilabel {

// How recordings become frames. Kept in the model, so that new clips are heard in the same way.
enum class FrameKind { mfcc, log_mel };

struct ClipFrames {
  FrameKind frames = FrameKind::mfcc;
  std::size_t coefficients = 13;
  std::size_t bands = 24;
  double window = 0.025;
  double hop = 0.01;
  std::size_t channel = 0;
  bool keep_level = false;
};

template <class V>
void visit_fields(V& v, ClipFrames& o) {
  v("frames", o.frames, Choices{{"mfcc", "log-mel"}},
    "of recordings: cepstral coefficients, or natural logarithms of mel energies, which --combination log-add needs");
  v("coefficients", o.coefficients, Range<std::size_t>{1, 128}, "of mfcc");
  v("bands", o.bands, Range<std::size_t>{2, 128}, "mel bands");
  v("window", o.window, Range<double>{0.001, 60.0}, "seconds of a frame");
  v("hop", o.hop, Range<double>{0.001, 60.0}, "seconds from a frame to the next");
  v("channel", o.channel, Range<std::size_t>{0, 1024}, "of recordings, the first is 1; 0: the mean of all");
  v("keep_level", o.keep_level, "leave recordings as loud as they are; else each is brought to the same mean energy");
}

struct ClipTableOptions {
  std::string delimiter = ",";
  std::string sequence_column;
  std::string leave_out;
  std::size_t item_frames = 0;
  bool strict = false;
};

template <class V>
void visit_fields(V& v, ClipTableOptions& o) {
  v("delimiter", o.delimiter, Text{"CHARACTER"}, "between fields of tables; 'tab' is possible");
  v("sequence_column", o.sequence_column, Text{"NAME"},
    "the column of a table that tells clips apart; 'sequence' if there is one");
  v("leave_out", o.leave_out, Text{"NAME,NAME,..."}, "columns of a table that are no features");
  v("item_frames", o.item_frames, Range<std::size_t>{0, 1'000'000},
    "cut clips into items of this many frames, each with a decision of its own; 0: whole clips");
  v("strict", o.strict, "stop at the first recording that cannot be heard; else it is told and left out");
}

struct Clips {
  Features features;  // a sequence per item
  std::vector<std::string> labels;
  std::vector<ClipLabels> of_clip;   // by item; empty when no labels were read
  std::vector<std::size_t> clip_of;  // the clip that an item was cut from
  std::vector<std::string> warnings;
  bool are_recordings = false;
};

// `labels_file` may be empty; then there are no labels. `known`: the labels of a model, in its order; else those found,
// in alphabetical order. Throws Error{usage} and Error{bad_data} with the file.
Clips read_clips(const std::vector<std::string>& files, const std::string& labels_file, const ClipFrames& frames,
                 const ClipTableOptions& table, const std::vector<std::string>& known, const VerbContext& context);

}  // namespace motet::multilabel
