#include "motet/app/discover/data.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <optional>

#include "motet/app/recording_features.h"
#include "motet/base/error.h"
#include "motet/io/audio_file.h"
#include "motet/io/features_file.h"
#include "motet/io/json.h"

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
  if (is_given(context, "hop")) format.clock.hop = options.mfcc.hop;
  if (is_given(context, "window")) {
    if (!is_given(context, "hop")) fail(ErrorKind::usage, "window: needs --hop when the rows come from a table");
    format.clock.window = options.mfcc.window;
  }
  return format;
}

Features read_recording(const std::string& path, const DiscoverDataOptions& options, const RunContext& run,
                        std::vector<std::string>& warnings) {
  const std::optional<std::size_t> channel = options.channel == 0 ? std::nullopt : std::optional(options.channel);
  RecordingFeatures read = recording_features(path, options.mfcc, channel, run);
  warnings.insert(warnings.end(), read.warnings.begin(), read.warnings.end());
  read.features.sequences[0] = path;  // files of one name may lie in several folders
  return std::move(read.features);
}

Features read_table(const std::string& path, const DiscoverDataOptions& options, const VerbContext& context,
                    std::vector<std::string>& warnings) {
  FeaturesFile file = read_features(path, table_format(options, context), context.run);
  warnings.insert(warnings.end(), file.warnings.begin(), file.warnings.end());
  // Without a name of its own a sequence has that of its file, so that more can be added.
  if (file.features.sequences.size() == 1 && file.features.sequences[0].empty()) file.features.sequences[0] = path;
  return std::move(file.features);
}

std::string origin_of(const std::vector<std::string>& files, bool is_audio, DiscoverDataOptions options,
                      const VerbContext& context) {
  Value::List list;
  for (const std::string& file : files) {
    std::error_code none;
    list.push_back(
        Value::object({{"name", file}, {"path", std::filesystem::absolute(file, none).lexically_normal().string()}}));
  }
  Value settings = Value::Object{};
  for (const Field& field : fields_of(options)) {
    const bool is_clock = field.name == "hop" || field.name == "window";
    if (is_audio || !is_clock || is_given(context, field.name)) settings.set(field.name, field.default_text);
  }
  return to_json(
      Value::object(
          {{"kind", is_audio ? "recordings" : "table"}, {"files", std::move(list)}, {"options", std::move(settings)}}),
      0);
}

}  // namespace

DiscoverData read_discover_data(const std::vector<std::string>& files, const DiscoverDataOptions& options,
                                const VerbContext& context) {
  const auto audio = static_cast<std::size_t>(std::count_if(files.begin(), files.end(), is_audio_name));
  if (audio != 0 && audio != files.size()) {
    fail(ErrorKind::usage, "recordings and tables of features do not go together; give files of one kind");
  }
  check_ranges(options.mfcc);
  DiscoverData data;
  for (std::size_t i = 0; i < files.size(); ++i) {
    if (std::find(files.begin(), files.begin() + static_cast<std::ptrdiff_t>(i), files[i]) !=
        files.begin() + static_cast<std::ptrdiff_t>(i)) {
      fail(ErrorKind::usage, fmt::format("{}: is named twice", files[i]));
    }
    Features more = audio > 0 ? read_recording(files[i], options, context.run, data.warnings)
                              : read_table(files[i], options, context, data.warnings);
    if (i == 0) {
      data.features = std::move(more);
      continue;
    }
    for (const std::string& name : more.sequences) {
      if (std::find(data.features.sequences.begin(), data.features.sequences.end(), name) !=
          data.features.sequences.end()) {
        fail(ErrorKind::bad_data, fmt::format("{}: sequence '{}' is in a file before it already", files[i], name));
      }
    }
    with_frame(files[i], [&] { append(data.features, more); });
  }
  data.origin = origin_of(files, audio > 0, options, context);
  return data;
}

DiscoverData read_more_data(const std::vector<std::string>& files, const ProjectSource& first,
                            const VerbContext& context) {
  const Value origin = parse_json(first.origin, "the origin of the project");
  DiscoverDataOptions options;
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
  return read_discover_data(files, options, as_before);
}

TruthTable read_truth_table(const std::string& file, const std::string& truth_column,
                            const DiscoverDataOptions& options, const VerbContext& context) {
  FeaturesFormat format = table_format(options, context);
  format.labels = {truth_column};
  FeaturesFile read = read_features(file, format, context.run);
  TruthTable table{std::move(read.features), std::move(read.labels.at(0)), std::move(read.warnings)};
  const auto empty = std::find(table.truth.of_row.begin(), table.truth.of_row.end(), -1);
  if (empty != table.truth.of_row.end()) {
    const auto row = static_cast<std::size_t>(empty - table.truth.of_row.begin());
    fail(ErrorKind::bad_data, fmt::format("{}: item {} has no class in column '{}'; a simulation needs all", file,
                                          item_name(table.features, row), truth_column));
  }
  return table;
}

}  // namespace motet::discover
