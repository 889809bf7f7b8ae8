// The sets of features by name. A new one is its maker and a line of the list in feature_sets.cpp.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "motet/audio/feature_stream.h"
#include "motet/audio/field/indicators.h"
#include "motet/audio/mfcc.h"
#include "motet/audio/mono/asa.h"
#include "motet/audio/mono/events.h"
#include "motet/audio/mono/music.h"
#include "motet/audio/presets.h"
#include "motet/audio/row_steps.h"

namespace motet::audio {

// The options of all sets; a set reads those it knows. Rows are windows of mfcc.window seconds, mfcc.hop apart,
// for every set.
struct FeatureOptions {
  std::string set = "mfcc";  // several are joined by commas
  Preset preset = Preset::none;
  MfccOptions mfcc;
  RowOptions rows;
  SfiOptions sfi;
  AsaOptions asa;
  MusicOptions music;
  EventsOptions events;
  bool each_channel = false;  // the sets that need one channel, once for every channel
};

std::string_view feature_sets_help();  // "which features, ...: mfcc (...), ..."

template <class V>
void visit_fields(V& v, FeatureOptions& o) {
  v("set", o.set, Text{"NAME,..."}, feature_sets_help());
  v("preset", o.preset, Choices{{"none", "librosa", "slaney", "kaldi", "single-dft"}},
    "the defaults of another program: librosa (2048 samples, 512 apart), the Auditory Toolbox, Kaldi (25 ms every 10 "
    "ms), "
    "or one transform per 0.8 s; what is said besides holds");
  visit_fields(v, o.mfcc);
  visit_fields(v, o.rows);
  visit_fields(v, o.sfi);
  visit_fields(v, o.asa);
  visit_fields(v, o.music);
  visit_fields(v, o.events);
  v("each_channel", o.each_channel,
    "the features of every channel by itself, side by side, with the number of the channel behind each name");
}

struct FeatureSet {
  std::string_view name;
  std::string_view help;     // a phrase
  std::size_t channels = 1;  // that it needs: with 1 it is given the mean of all or the one that was chosen
  FrameClock frames;         // its usual hop and window, where neither was said
  FeatureStream (*make)(const FeatureOptions& options, const SoundShape& sound) = nullptr;
};

std::span<const FeatureSet> feature_sets();

// Throws Error{usage} "--set: 'x' is not one of mfcc, ...".
const FeatureSet& feature_set(std::string_view name);
std::vector<const FeatureSet*> feature_sets_in(std::string_view names);  // joined by commas, each once

// The options with what was not said filled in: by the preset, else the window and hop that the sets have by themselves
// (of several, those of the longest window). Throws Error{usage} for sets that are not there.
FeatureOptions settled(FeatureOptions options, const std::function<bool(std::string_view)>& is_given);

// Whether more than the one channel is to be pushed.
bool needs_all_channels(const FeatureOptions& options);

// One set after another in the columns of a row; all have one clock. Rows end where one of the sets ends. What is
// pushed is the one channel for the sets that need one, and behind it all channels of the recording for those that need
// several and for each_channel; `sound.channels` counts the latter. Throws Error{usage} "--set sfi: needs 4 channels;
// the recording has 1".
FeatureStream joined_stream(const std::vector<const FeatureSet*>& sets, const FeatureOptions& options,
                            const SoundShape& sound);

// The whole: the sets that the options name, joined, with the steps from rows to rows.
FeatureStream feature_stream(const FeatureOptions& options, const SoundShape& sound);

}  // namespace motet::audio
