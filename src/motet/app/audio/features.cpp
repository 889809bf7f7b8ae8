#include "motet/app/audio/features.h"

#include <fmt/format.h>

#include <algorithm>

#include "motet/app/audio/feature_pictures.h"
#include "motet/app/audio/feature_run.h"
#include "motet/app/verb_files.h"
#include "motet/base/error.h"
#include "motet/io/destination.h"
#include "motet/io/file.h"
#include "motet/io/json.h"
#include "motet/report/text_table.h"

namespace motet::audio {
namespace {

constexpr std::size_t most_pictures = 8;     // on a page
constexpr std::size_t most_told_rows = 200;  // of recordings, on the terminal

struct FeaturesVerbOptions {
  RecordingOptions recordings;
  bool strict = false;
  std::string manifest;
  std::string picture;
  std::string out;
};

template <class V>
void visit_fields(V& v, FeaturesVerbOptions& o) {
  visit_fields(v, o.recordings);
  v("strict", o.strict, "stop at the first recording that cannot be heard; else it is told and left out");
  v("manifest", o.manifest, Writes{"MANIFEST.jsonl"},
    "keep what is finished here and in MANIFEST.jsonl.rows, so that the same command goes on after an interruption and "
    "hears only recordings that are new");
  v("picture", o.picture, Writes{"FILE.png"},
    "draw the rows of the first recording: as a map when they are bands or frequencies, else as tracks");
  v("out", o.out, Writes{"FEATURES.csv|.npy|.arff|.jsonl"},
    "write the rows here; '-' is standard output, as csv; .npy holds the numbers only. Beside a .csv or .npy is "
    "FEATURES.csv.json, with units and all options");
}

std::vector<std::string> warnings_of(const FeatureRunResult& result, const FeaturesVerbOptions& options) {
  std::vector<std::string> warnings;
  for (const FeatureRunEntry& entry : result.entries) {
    warnings.insert(warnings.end(), entry.heard.warnings.begin(), entry.heard.warnings.end());
    if (!entry.failure.empty()) warnings.push_back(entry.failure + "; it was left out");
  }
  if (row_file_of(options.out) == RowFile::npy && result.entries.size() > 1) {
    warnings.push_back(fmt::format(
        "{0}: an .npy does not tell where one recording ends and the next begins; {0}.json does", options.out));
  }
  return warnings;
}

std::string heard_text(const FeatureRunResult& result, const std::vector<std::string>& warnings) {
  Table table{{{"recording"}, {"seconds", 2}, {"rows"}}, {}};
  std::size_t heard = 0;
  for (const FeatureRunEntry& entry : result.entries) {
    if (!entry.failure.empty() || ++heard > most_told_rows) continue;
    table.rows.push_back({entry.recording.name, entry.heard.seconds, static_cast<std::int64_t>(entry.heard.rows)});
  }
  const std::string rest =
      heard > most_told_rows ? fmt::format("and {} more recordings\n", heard - most_told_rows) : "";
  const FrameClock& clock = result.shape.clock;
  const std::string when = clock.has_time()
                               ? fmt::format("one every {} s over {} s", to_text(clock.hop), to_text(clock.window))
                               : "one per recording";
  return fmt::format("{} rows of {} features, {}\n\n{}{}{}", result.rows, result.shape.columns.size(), when,
                     to_text(table), rest, warning_lines(warnings));
}

Value recordings_value(const FeatureRunResult& result) {
  Value::List recordings;
  for (const FeatureRunEntry& entry : result.entries) {
    if (!entry.failure.empty()) continue;
    recordings.push_back(Value::object({{"name", entry.recording.name},
                                        {"seconds", entry.heard.seconds},
                                        {"rows", entry.heard.rows},
                                        {"sample_rate", entry.heard.sample_rate},
                                        {"channels", entry.heard.channels}}));
  }
  return recordings;
}

Value failures_value(const FeatureRunResult& result) {
  Value::List failed;
  for (const FeatureRunEntry& entry : result.entries) {
    if (entry.failure.empty()) continue;
    failed.push_back(Value::object({{"name", entry.recording.name}, {"reason", entry.failure}}));
  }
  return failed;
}

Value result_value(const FeatureRunResult& result, const std::vector<std::string>& warnings) {
  Value json = Value::object({{"rows", result.rows},
                              {"columns", Value::list_of(result.shape.columns)},
                              {"units", Value::list_of(result.shape.units)},
                              {"hop", result.shape.clock.hop},
                              {"window", result.shape.clock.window},
                              {"options", result.shape.options},
                              {"recordings", recordings_value(result)}});
  json.set("left_out", failures_value(result));
  json.set("warnings", Value::list_of(warnings));
  return json;
}

// Names, units and options beside a file that cannot hold them, unless the file is a stream or the name is taken.
void write_description(const FeaturesVerbOptions& options, const FeatureRunResult& result, const VerbContext& context) {
  const RowFile kind = row_file_of(options.out);
  if (kind != RowFile::csv && kind != RowFile::npy) return;
  if (destination_of(options.out, Direction::out).descriptor >= 0 || options.out.starts_with("/dev/")) return;
  const std::string path = options.out + ".json";
  const auto is_taken = [&](const std::string& output) { return same_output(path, output); };
  if (std::any_of(context.outputs.begin(), context.outputs.end(), is_taken)) return;
  Value description = shape_value(result.shape);
  description.set("rows", result.rows);
  description.set("recordings", recordings_value(result));
  write_atomically(path, to_json(description, 2) + "\n");
}

FeatureRunOptions run_options(const FeaturesVerbOptions& options, const VerbContext& context) {
  FeatureRunOptions run;
  run.recordings = settled(options.recordings, context);
  run.out = options.out;
  run.manifest = options.manifest;
  run.is_strict = options.strict;
  run.pictures = context.wants_page() ? most_pictures : options.picture.empty() ? 0 : 1;
  return run;
}

Outcome run_features_verb(const FeaturesVerbOptions& options, VerbContext& context) {
  const std::vector<NamedRecording> recordings = named_recordings(context.files);
  for (const NamedRecording& recording : recordings) keep_input(context, recording.path);
  const FeatureRunResult result = run_features(recordings, run_options(options, context), context.run);
  const std::vector<std::string> warnings = warnings_of(result, options);
  write_description(options, result, context);
  if (!options.picture.empty()) write_atomically(options.picture, feature_png(result));
  Outcome outcome;
  outcome.text = heard_text(result, warnings);
  outcome.json = result_value(result, warnings);
  if (context.wants_page()) outcome.page = features_page(result, warnings);
  return outcome;
}

}  // namespace

Verb features_verb() {
  return make_verb(
      "audio", "features", "recordings to rows of numbers",
      {{"IN.wav", "wav, flac, ogg, opus, mp3 or aiff; a folder of them; or a .txt with a path per line", 1, 1'000'000}},
      {{"out"}}, run_features_verb);
}

}  // namespace motet::audio
