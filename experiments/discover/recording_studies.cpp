#include "experiments/discover/recording_studies.h"

#include <fmt/format.h>

#include <cmath>
#include <filesystem>
#include <set>

#include "motet/audio/feature_sets.h"
#include "motet/base/numeric.h"
#include "motet/discover/study/track_truth.h"

namespace motet::discover {
namespace {

char letter_of(RecordingHalf half) {
  switch (half) {
    case RecordingHalf::a: return 'A';
    case RecordingHalf::b: return 'B';
    case RecordingHalf::c: return 'C';
  }
  return '?';
}

}  // namespace

Features recording_features(const MadeRecording& recording, std::string_view set) {
  audio::FeatureOptions options;
  options.set = set;
  options = audio::settled(options, [](std::string_view name) { return name == "set"; });
  const audio::FeatureStream stream = audio::feature_stream(options, {recording.rate, 1});
  Features features;
  features.columns = stream.columns;
  features.clock = stream.clock;
  const std::span<const float> channel(recording.samples);
  stream.push(std::span(&channel, 1), features.values);
  stream.finish(features.values);
  features.starts.push_back(features.values.size() / features.columns.size());
  features.sequences.push_back(recording.name);
  return features;
}

StudiedRecording studied_recording(const RecordingKind& kind, const RecordingOptions& options, Rng rng) {
  StudiedRecording studied;
  studied.recording = generate_recording(kind, options, rng);
  studied.features = recording_features(studied.recording, "events");
  studied.truth = truth_of_track(studied.features, studied.recording.truth).truth;
  return studied;
}

RecordingOptions study_options(const ExperimentContext& context) {
  RecordingOptions options;
  options.seconds = context.quick ? 60.0 : 360.0;
  options.rate = 16000.0;
  if (!context.data.empty()) options.clips = (std::filesystem::path(context.data) / "audio").string();
  return options;
}

std::vector<RecordingKind> studied_kinds(const ExperimentContext& context, const RecordingOptions& options,
                                         std::string_view halves) {
  std::vector<RecordingKind> kinds;
  std::set<RecordingHalf> there;
  for (const RecordingKind& kind : kinds_that_can_be_made(options)) {
    if (halves.find(letter_of(kind.half)) == std::string_view::npos) continue;
    if (!there.insert(kind.half).second && context.quick) continue;
    kinds.push_back(kind);
  }
  return kinds;
}

DiscoverOptions scored_options(Strategy strategy) {
  DiscoverOptions options;
  options.strategy = strategy;
  options.components = 2;
  return options;
}

std::string title_of(RecordingHalf half) {
  switch (half) {
    case RecordingHalf::a: return "Half A: what choices were made on";
    case RecordingHalf::b: return "Half B: looked at while features, ways of asking and segments were built";
    case RecordingHalf::c: return "Half C: made afterwards";
  }
  return "";
}

std::string mean_and_error(const std::vector<double>& values) {
  if (values.empty()) return "";
  const MeanSd summary = mean_sd(values);
  if (values.size() < 2) return fmt::format("{:.1f}", summary.mean);
  return fmt::format("{:.1f} ({:.1f})", summary.mean, summary.sd / std::sqrt(static_cast<double>(values.size())));
}

}  // namespace motet::discover
