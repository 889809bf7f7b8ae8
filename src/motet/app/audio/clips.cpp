#include "motet/app/audio/clips.h"

#include <fmt/format.h>

#include <algorithm>
#include <exception>
#include <filesystem>
#include <map>
#include <utility>

#include "motet/base/error.h"
#include "motet/data/names.h"
#include "motet/io/sound_file.h"
#include "motet/io/table_reader.h"

namespace motet::audio {
namespace {

// Numbers where every value is one, else classes in the order of their first clip.
Target target_of(const std::vector<std::string>& values) {
  Target target;
  for (const std::string& value : values) {
    const Result<double> number = parse_double(value);
    if (!number) break;
    target.values.push_back(number.value());
  }
  if (target.values.size() == values.size()) return target;
  NameTable names;
  target.values.clear();
  for (const std::string& value : values) target.values.push_back(names.id_of(value));
  const NameList classes = names.take_names();
  target.classes = classes.to_vector();
  return target;
}

// What was heard of one file, or why not.
struct HeardFile {
  ClipRow row;
  double rate = 0.0;
  std::vector<std::string> warnings;
  std::exception_ptr failure;
  std::string reason;
};

bool is_silent(const Sound& sound) {
  return std::all_of(sound.channels.begin(), sound.channels.end(), [](const std::vector<float>& channel) {
    return std::all_of(channel.begin(), channel.end(), [&](float sample) { return sample == channel[0]; });
  });
}

void hear_file(const std::string& file, const ClipOptions& options, HeardFile& heard) {
  const Sound clip = read_sound(file, {0, options.rate}, heard.warnings);
  if (is_silent(clip)) {
    heard.warnings.push_back(file + ": is silence: all its samples are equal, and nothing can be told from it");
  }
  heard.rate = clip.sample_rate;
  heard.row = with_frame(file, [&] { return clip_features(clip, options); });
}

void require_shape(const ClipShape& shape, const HeardFile& heard, const std::string& file) {
  if (heard.rate != shape.sample_rate) {
    fail(ErrorKind::bad_data, fmt::format("{}: has {} Hz and {} {} Hz; --rate brings clips to one rate", file,
                                          to_text(heard.rate), shape.whose, to_text(shape.sample_rate)));
  }
  if (heard.row.columns != shape.columns) {
    fail(ErrorKind::bad_data, fmt::format("{}: has other features than {}", file, shape.whose));
  }
}

// What is wrong with the file and not with the machine.
template <class Work>
void keep_failure(HeardFile& heard, bool is_strict, const Work& work) {
  try {
    work();
  } catch (const Error& error) {
    const bool is_of_the_file = error.kind() == ErrorKind::bad_data || error.kind() == ErrorKind::usage;
    if (is_strict || !is_of_the_file) throw;
    heard.failure = std::current_exception();
    heard.reason = error.what();
  }
}

// Only the classes that are left, in their order.
Target without_lost_classes(const Target& target) {
  if (!target.is_class()) return target;
  std::vector<bool> is_there(target.classes.size());
  for (const double value : target.values) is_there[static_cast<std::size_t>(value)] = true;
  Target left;
  std::vector<double> number(target.classes.size());
  for (std::size_t c = 0; c < is_there.size(); ++c) {
    if (!is_there[c]) continue;
    number[c] = static_cast<double>(left.classes.size());
    left.classes.push_back(target.classes[c]);
  }
  for (const double value : target.values) left.values.push_back(number[static_cast<std::size_t>(value)]);
  return left;
}

// Numbered from 0 in the order in which they come, without those that were lost.
std::vector<std::uint32_t> renumbered(const std::vector<std::uint32_t>& all, const std::vector<std::size_t>& left) {
  std::map<std::uint32_t, std::uint32_t> number;
  std::vector<std::uint32_t> groups;
  groups.reserve(left.size());
  for (const std::size_t n : left) {
    groups.push_back(number.try_emplace(all[n], static_cast<std::uint32_t>(number.size())).first->second);
  }
  return groups;
}

}  // namespace

FeaturesOfFiles features_of_files(const std::vector<std::string>& files, const HearingOptions& options, ClipShape shape,
                                  const RunContext& run) {
  feature_sets_in(options.clips.set);  // a wrong name is told before any file
  std::vector<HeardFile> heard(files.size());
  for_each_task(files.size(), run.threads.here(), [&](std::size_t n) {
    if (run.cancelled()) fail(ErrorKind::interrupted, "interrupted while hearing clips");
    keep_failure(heard[n], options.is_strict, [&] { hear_file(files[n], options.clips, heard[n]); });
  });
  FeaturesOfFiles found;
  std::exception_ptr first_failure;
  for (std::size_t n = 0; n < files.size(); ++n) {
    HeardFile& one = heard[n];
    if (!one.failure && shape.columns.empty()) shape = {one.row.columns, one.rate, files[n]};
    if (!one.failure) keep_failure(one, options.is_strict, [&] { require_shape(shape, one, files[n]); });
    if (one.failure) {
      if (!first_failure) first_failure = one.failure;
      found.left_out.push_back({n, one.reason});
      continue;
    }
    found.files.push_back(n);
    found.rows.values.insert(found.rows.values.end(), one.row.values.begin(), one.row.values.end());
    found.warnings.insert(found.warnings.end(), one.warnings.begin(), one.warnings.end());
  }
  if (found.files.empty() && first_failure) std::rethrow_exception(first_failure);
  found.rows.width = shape.columns.size();
  found.shape = std::move(shape);
  return found;
}

ClipList read_clip_list(const std::string& path, const ClipListOptions& options) {
  TableReader table(path);
  table.require_names();
  const FoundColumn recording = table.find({"recording"});
  const FoundColumn target = table.find({options.target});
  const FoundColumn source = table.find({options.source_column});
  const FoundColumn response = table.find({options.response_column});
  table.require({recording, target});
  const std::filesystem::path folder = std::filesystem::path(path).parent_path();
  ClipList list;
  std::vector<std::string> values;
  NameTable sources;
  NameTable responses;
  table.for_each_row([&](const TableRow& row) {
    const std::string name(row.name(recording));
    list.files.push_back((folder / name).string());
    values.emplace_back(row.name(target));
    list.source.push_back(sources.id_of(source.is_there() ? row.name(source) : std::string_view(name)));
    if (response.is_there()) list.response.push_back(responses.id_of(row.name(response)));
  });
  if (list.files.empty()) table.fail_file("there are no clips");
  list.target = target_of(values);
  return list;
}

HeardClips read_clips(const std::string& path, const ClipListOptions& list_options, const HearingOptions& options,
                      const RunContext& run) {
  ClipList list = read_clip_list(path, list_options);
  HeardClips heard{{}, list.files, features_of_files(list.files, options, {}, run)};
  Clips& clips = heard.clips;
  clips.rows = std::move(heard.features.rows);
  clips.columns = heard.features.shape.columns;
  clips.target.classes = list.target.classes;
  for (const std::size_t n : heard.features.files) clips.target.values.push_back(list.target.values[n]);
  clips.source = renumbered(list.source, heard.features.files);
  if (!list.response.empty()) clips.response = renumbered(list.response, heard.features.files);
  clips.target = without_lost_classes(clips.target);
  return heard;
}

std::vector<std::string> warnings_of(const FeaturesOfFiles& features) {
  std::vector<std::string> warnings = features.warnings;
  for (const LeftOut& one : features.left_out) warnings.push_back(one.reason + "; it was left out");
  return warnings;
}

Value left_out_value(const FeaturesOfFiles& features, const std::vector<std::string>& names) {
  Value::List list;
  for (const LeftOut& one : features.left_out) {
    list.push_back(Value::object({{"name", names[one.file]}, {"reason", one.reason}}));
  }
  return list;
}

}  // namespace motet::audio
