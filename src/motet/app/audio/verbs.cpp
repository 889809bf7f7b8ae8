#include "motet/app/audio/verbs.h"

#include <fmt/format.h>

#include <algorithm>

#include "motet/app/csv_output.h"
#include "motet/app/recording_features.h"
#include "motet/base/error.h"
#include "motet/io/features_csv.h"
#include "motet/io/features_file.h"
#include "motet/io/npy.h"
#include "motet/report/text_table.h"

namespace motet::audio {
namespace {

enum class FeatureSet { mfcc, sfi, sfi_st, asa, music };

struct FeaturesVerbOptions {
  FeatureSet set = FeatureSet::mfcc;
  MfccOptions mfcc;
  std::size_t channel = 0;
  std::string out;
};

template <class V>
void visit_fields(V& v, FeaturesVerbOptions& o) {
  v("set", o.set, Choices{{"mfcc", "sfi", "sfi-st", "asa", "music"}}, "which features; only mfcc is there so far");
  visit_fields(v, o.mfcc);
  v("channel", o.channel, Range<std::size_t>{0, 1024}, "of the recordings, the first is 1; 0: the mean of all");
  v("out", o.out, Text{"FEATURES.csv|.npy"},
    "write the rows here; '-' is standard output; .npy holds the numbers only");
}

struct Heard {
  std::string name;
  std::size_t rows = 0;
  double seconds = 0.0;
};

std::string heard_text(const std::vector<Heard>& heard, const Features& features,
                       const std::vector<std::string>& warnings) {
  Table table{{{"recording"}, {"seconds", 2}, {"rows"}}, {}};
  for (const Heard& one : heard) table.rows.push_back({one.name, one.seconds, static_cast<std::int64_t>(one.rows)});
  return fmt::format("{} rows of {} features, one every {} s over {} s\n\n{}{}", features.rows(), features.dimensions(),
                     to_text(features.clock.hop), to_text(features.clock.window), to_text(table),
                     warning_lines(warnings));
}

void require_distinct_names(const std::vector<Heard>& heard, const std::string& file) {
  const auto is_there = [&](const Heard& other) { return other.name == heard.back().name; };
  if (std::any_of(heard.begin(), heard.end() - 1, is_there)) {
    fail(ErrorKind::usage,
         fmt::format("{}: another recording is called '{}' too; names tell the rows apart", file, heard.back().name));
  }
}

Outcome run_features(const FeaturesVerbOptions& options, VerbContext& context) {
  require_given("features", context, {"out"});
  if (options.set != FeatureSet::mfcc) {
    fail(ErrorKind::usage, "set: this version knows only mfcc; the others of its list are not there yet");
  }
  const bool writes_npy = is_npy(options.out);
  const auto channel = options.channel == 0 ? std::nullopt : std::optional(options.channel);
  Features features;
  std::vector<Heard> heard;
  std::vector<std::string> warnings;
  for (const std::string& file : context.files) {
    RecordingFeatures one = recording_features(file, options.mfcc, channel, context.run);
    heard.push_back({one.features.sequences[0], one.features.rows(), one.seconds});
    require_distinct_names(heard, file);
    warnings.insert(warnings.end(), one.warnings.begin(), one.warnings.end());
    if (features.rows() == 0) {
      features = std::move(one.features);
    } else {
      append(features, one.features);
    }
  }
  if (writes_npy && heard.size() > 1) {
    warnings.push_back(
        fmt::format("{}: an .npy does not tell where one recording ends and the next begins", options.out));
  }
  Outcome outcome;
  if (writes_npy) {
    write_npy(options.out, features.rows(), features.dimensions(), features.values);
  } else {
    CsvOutput out(options.out);
    write_features_csv(out.csv(), features);
    out.finish();
  }
  outcome.text = heard_text(heard, features, warnings);
  Value::List recordings;
  for (const Heard& one : heard) {
    recordings.push_back(Value::object({{"name", one.name}, {"seconds", one.seconds}, {"rows", one.rows}}));
  }
  outcome.json = Value::object({{"rows", features.rows()},
                                {"columns", Value::list_of(features.columns)},
                                {"hop", features.clock.hop},
                                {"window", features.clock.window},
                                {"recordings", std::move(recordings)},
                                {"warnings", Value::list_of(warnings)}});
  return outcome;
}

}  // namespace

std::vector<Verb> audio_verbs() {
  std::vector<Verb> verbs = {make_verb<FeaturesVerbOptions>("audio", "features", "recordings to rows of numbers",
                                                            {{"IN.wav", "wav, flac, ogg or mp3", 1, 1'000'000}},
                                                            run_features)};
  verbs[0].required = {{"out"}};
  verbs[0].has_page = false;
  verbs[0].outputs = {{"out"}};
  return verbs;
}

}  // namespace motet::audio
