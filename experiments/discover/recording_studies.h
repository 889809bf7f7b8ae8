// What the studies on made recordings share: recordings of kinds and repeats, with their features and truth.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "experiments/discover/recordings.h"
#include "experiments/experiment.h"
#include "motet/data/features.h"
#include "motet/discover/options.h"
#include "motet/discover/study/row_truth.h"

namespace motet::discover {

struct StudiedRecording {
  MadeRecording recording;
  Features features;  // of the set events
  RowTruth truth;
};

Features recording_features(const MadeRecording& recording, std::string_view set);
StudiedRecording studied_recording(const RecordingKind& kind, const RecordingOptions& options, Rng rng);

// 360 s at 16 kHz (60 s where the study is quick), with the public clips where there are data.
RecordingOptions study_options(const ExperimentContext& context);

// The kinds of these halves that can be made; the first of each half where the study is quick.
std::vector<RecordingKind> studied_kinds(const ExperimentContext& context, const RecordingOptions& options,
                                         std::string_view halves);

// Of a way that does not ask by a mixture: two components in place of those chosen from the data, which takes most of
// the time of a search and changes none of its questions.
DiscoverOptions scored_options(Strategy strategy);

// "half A: what choices were made on"
std::string title_of(RecordingHalf half);

// Mean of values and its standard error: "11.3 (1.2)".
std::string mean_and_error(const std::vector<double>& values);

}  // namespace motet::discover
