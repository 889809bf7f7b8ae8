#include "motet/app/discover/data.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "motet/app/discover/row_labels.h"
#include "motet/app/discover/told.h"
#include "motet/base/error.h"
#include "motet/discover/study/track_truth.h"
#include "motet/io/audio_file.h"
#include "motet/io/features_file.h"
#include "motet/io/json.h"
#include "motet/io/label_track.h"

namespace motet::discover {
namespace {

std::vector<std::string> names_in(const std::string& list) {
  std::vector<std::string> names;
  for (std::size_t begin = 0; begin < list.size();) {
    const std::size_t end = std::min(list.find(',', begin), list.size());
    if (end > begin) names.push_back(list.substr(begin, end - begin));
    begin = end + 1;
  }
  return names;
}

FeaturesFormat table_format(const DiscoverDataOptions& options, const VerbContext& context) {
  FeaturesFormat format;
  format.delimiter = parse_delimiter(options.delimiter);
  format.sequence_column = options.sequence_column;
  format.item_column = options.item_column;
  format.leave_out = names_in(options.leave_out);
  if (is_given(context, "hop")) format.clock.hop = options.recordings.features.mfcc.hop;
  if (is_given(context, "window")) {
    if (!is_given(context, "hop")) fail(ErrorKind::usage, "--window: needs --hop when the rows come from a table");
    format.clock.window = options.recordings.features.mfcc.window;
  }
  return format;
}

// Who says how cepstral coefficients are computed, and no set, means those.
bool means_mfcc(const VerbContext& context) {
  constexpr std::string_view of_mfcc[] = {"preset",   "mfcc_style", "coefficients", "bands",   "mel",
                                          "mel_norm", "top_db",     "centre",       "lifter",  "fft_size",
                                          "pad",      "taper",      "power",        "dct_norm"};
  return !is_given(context, "set") && std::any_of(std::begin(of_mfcc), std::end(of_mfcc),
                                                  [&](std::string_view name) { return is_given(context, name); });
}

// The sample rate of the first recording of a project, and which recording it is.
struct FirstRate {
  std::string file;
  double hertz = 0.0;  // 0: not known
};

std::string rates_differ(const std::string& path, double hertz, const FirstRate& first) {
  return fmt::format(
      "{}: has {} samples per second and {} {}: their bands are other frequencies, so that one is unlike the other "
      "whatever is heard; bring all to one with --rate {} from the start",
      path, to_text(hertz), first.file, to_text(first.hertz), to_text(std::min(hertz, first.hertz)));
}

// A file that was read, and what `add`, label tracks and clips need to know of it later.
struct ReadFile {
  std::string name;
  Features features;
  double seconds = 0.0;      // of a recording
  double sample_rate = 0.0;  // of the same, Hz
  std::vector<std::string> warnings;
};

ReadFile read_recording(const std::string& path, const DiscoverDataOptions& options, const RunContext& run,
                        FirstRate& first) {
  RecordingFeatures read = recording_features(path, options.recordings, run);
  if (first.hertz == 0.0) first = {path, read.sample_rate};
  if (first.hertz != read.sample_rate) read.warnings.push_back(rates_differ(path, read.sample_rate, first));
  read.features.sequences[0] = path;  // files of one name may lie in several folders
  return {path, std::move(read.features), read.seconds, read.file_rate, std::move(read.warnings)};
}

ReadFile read_table(const std::string& path, const DiscoverDataOptions& options, const VerbContext& context) {
  FeaturesFile file = read_features(path, table_format(options, context), context.run);
  // Without a name of its own a sequence has that of its file, so that more can be added.
  if (file.features.sequences.size() == 1 && file.features.sequences[0].empty()) file.features.sequences[0] = path;
  return {path, std::move(file.features), 0.0, 0.0, std::move(file.warnings)};
}

Value origin_of(const ReadFile& file) {
  std::error_code none;
  Value value = Value::object(
      {{"name", file.name}, {"path", std::filesystem::absolute(file.name, none).lexically_normal().string()}});
  if (file.seconds > 0.0) value.set("seconds", file.seconds);
  if (file.sample_rate > 0.0) value.set("sample_rate", file.sample_rate);
  return value;
}

std::string origin_of(Value::List list, bool is_audio, double hertz, DiscoverDataOptions options,
                      const VerbContext& context) {
  Value settings = Value::Object{};
  for (const Field& field : fields_of(options)) {
    const bool is_clock = field.name == "hop" || field.name == "window";
    if (is_audio || !is_clock || is_given(context, field.name)) settings.set(field.name, field.default_text);
  }
  Value origin = Value::object(
      {{"kind", is_audio ? "recordings" : "table"}, {"files", std::move(list)}, {"options", std::move(settings)}});
  if (is_audio) origin.set("sample_rate", hertz);
  return to_json(origin, 0);
}

void require_distinct(const std::vector<std::string>& files) {
  for (auto file = files.begin(); file != files.end(); ++file) {
    if (std::find(files.begin(), file, *file) != file) {
      fail(ErrorKind::usage, fmt::format("{}: is named twice", *file));
    }
  }
}

void take_file(ReadFile file, bool is_first, Features& features) {
  if (is_first) {
    features = std::move(file.features);
    return;
  }
  for (const std::string& name : file.features.sequences) {
    if (std::find(features.sequences.begin(), features.sequences.end(), name) != features.sequences.end()) {
      fail(ErrorKind::bad_data, fmt::format("{}: sequence '{}' is in a file before it already", file.name, name));
    }
  }
  with_frame(file.name, [&] { append(features, file.features); });
}

DiscoverData read_beside(FirstRate first, const std::vector<std::string>& files, const DiscoverDataOptions& given,
                         const VerbContext& context, BadFiles bad_files) {
  const auto audio = static_cast<std::size_t>(std::count_if(files.begin(), files.end(), is_audio_name));
  if (audio != 0 && audio != files.size()) {
    fail(ErrorKind::usage, "recordings and tables of features do not go together; give files of one kind");
  }
  require_distinct(files);
  DiscoverDataOptions options = given;
  check_ranges(options.recordings);
  if (means_mfcc(context)) options.recordings.features.set = "mfcc";
  // What is kept with the project is what holds, so that more can be heard in the same way.
  if (audio > 0) options.recordings = settled(options.recordings, context);
  DiscoverData data;
  Value::List origins;
  std::vector<std::string> left_out;
  for (const std::string& file : files) {
    try {
      ReadFile read =
          audio > 0 ? read_recording(file, options, context.run, first) : read_table(file, options, context);
      Value origin = origin_of(read);
      const std::vector<std::string> warnings = read.warnings;
      take_file(std::move(read), origins.empty(), data.features);
      origins.push_back(std::move(origin));
      data.warnings.insert(data.warnings.end(), warnings.begin(), warnings.end());
    } catch (const Error& error) {
      if (error.kind() != ErrorKind::bad_data || bad_files == BadFiles::refused || files.size() == 1) throw;
      left_out.emplace_back(error.what());
    }
  }
  if (left_out.size() == files.size()) {
    fail(ErrorKind::bad_data,
         fmt::format("none of the {} files can be read; the first: {}", files.size(), left_out[0]));
  }
  for (const std::string& why : left_out) data.warnings.push_back(why + "; it was left out");
  data.origin = origin_of(std::move(origins), audio > 0, first.hertz, options, context);
  return data;
}

}  // namespace

DiscoverData read_discover_data(const std::vector<std::string>& files, const DiscoverDataOptions& given,
                                const VerbContext& context, BadFiles bad_files) {
  return read_beside({}, files, given, context, bad_files);
}

DiscoverData read_more_data(const std::vector<std::string>& files, const ProjectSource& first,
                            const VerbContext& context, BadFiles bad_files) {
  const Value origin = parse_json(first.origin, "the origin of the project");
  DiscoverDataOptions options;
  options.recordings.features.set = "mfcc";  // of a project that says nothing, as there was no other
  VerbContext as_before = context;
  for (const auto& [name, text] : origin.at("options").as_object()) {
    for (const Field& field : fields_of(options)) {
      if (field.name == name) field.set(text.as_text());
    }
    as_before.given.push_back(name);
  }
  const bool was_audio = origin.at("kind").as_text() == "recordings";
  for (const std::string& file : files) {
    if (is_audio_name(file) != was_audio) {
      fail(ErrorKind::usage, fmt::format("{}: the project began with {}; add files of the same kind", file,
                                         was_audio ? "recordings" : "tables of features"));
    }
  }
  FirstRate rate;
  if (const Value* const hertz = origin.find("sample_rate")) rate = {"the first recording", hertz->as_number()};
  return read_beside(rate, files, options, as_before, bad_files);
}

TruthTable read_truth_table(const std::string& file, const std::string& truth_column,
                            const DiscoverDataOptions& options, const VerbContext& context) {
  FeaturesFormat format = table_format(options, context);
  format.labels = {truth_column};
  FeaturesFile read = read_features(file, format, context.run);
  TruthTable table{std::move(read.features), {read.labels.at(0).classes, {}}, std::move(read.warnings)};
  for (const std::int32_t of_class : read.labels[0].of_row) {
    if (of_class < 0) {
      fail(ErrorKind::bad_data, fmt::format("{}: item {} has no class in column '{}'; a simulation needs all", file,
                                            item_name(table.features, table.truth.of_row.size()), truth_column));
    }
    table.truth.of_row.push_back(static_cast<std::uint32_t>(of_class));
  }
  return table;
}

TruthTable read_with_track(const std::vector<std::string>& files, const std::string& track,
                           const DiscoverDataOptions& options, const VerbContext& context) {
  if (has_row_labels(track)) {
    DiscoverData data = read_discover_data(files, options, context);
    TimeLabels found = read_row_labels(track, data.features);
    data.warnings.insert(data.warnings.end(), found.warnings.begin(), found.warnings.end());
    return {std::move(data.features), std::move(found.truth), std::move(data.warnings)};
  }
  std::vector<Segment> segments = read_any_segments(track);
  DiscoverData data = read_discover_data(files, options, context);
  TrackTruth found = with_frame(track, [&] {
    for (Segment& segment : segments) {
      if (segment.sequence.empty()) continue;
      segment.sequence = data.features.sequences[recording_of(data.features, segment.sequence)];
    }
    return truth_of_track(data.features, segments);
  });
  for (const std::string& warning : found.warnings) data.warnings.push_back(fmt::format("{}: {}", track, warning));
  return {std::move(data.features), std::move(found.truth), std::move(data.warnings)};
}

}  // namespace motet::discover
