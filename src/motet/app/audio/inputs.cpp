#include "motet/app/audio/inputs.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <set>
#include <system_error>

#include "motet/base/error.h"
#include "motet/io/audio_file.h"
#include "motet/io/text_lines.h"

namespace motet::audio {
namespace {

namespace fs = std::filesystem;

void add_folder(const std::string& folder, std::vector<NamedRecording>& found) {
  const std::vector<NamedRecording> inside = recordings_below(folder);
  if (inside.empty()) {
    fail(ErrorKind::bad_data,
         fmt::format("{}: there is no recording in this folder (.wav, .flac, .ogg, .mp3 ...)", folder));
  }
  found.insert(found.end(), inside.begin(), inside.end());
}

bool is_list(const std::string& path) { return path.ends_with(".txt") || path.ends_with(".lst"); }

void add_list(const std::string& list, std::vector<NamedRecording>& found) {
  const std::size_t before = found.size();
  TextLines lines(list);
  for (std::string_view line; lines.next(line);) {
    if (line.empty()) continue;
    const fs::path path = fs::path(list).parent_path() / fs::path(line);  // an absolute line stays as it is
    found.push_back({path.filename().string(), path.string()});
  }
  if (found.size() == before) fail(ErrorKind::bad_data, fmt::format("{}: names no recording", list));
}

}  // namespace

std::vector<NamedRecording> recordings_below(const std::string& folder) {
  std::error_code problem;
  std::vector<NamedRecording> inside;
  fs::recursive_directory_iterator at(folder, problem);
  for (; !problem && at != fs::recursive_directory_iterator(); at.increment(problem)) {
    const std::string path = at->path().string();
    std::error_code none;
    if (!is_audio_name(path) || !fs::is_regular_file(path, none)) continue;
    inside.push_back({at->path().lexically_relative(folder).string(), path});
  }
  if (problem) fail(ErrorKind::bad_data, fmt::format("{}: cannot be read: {}", folder, problem.message()));
  std::sort(inside.begin(), inside.end(),
            [](const NamedRecording& a, const NamedRecording& b) { return a.path < b.path; });
  return inside;
}

std::vector<NamedRecording> found_recordings(const std::vector<std::string>& arguments) {
  std::vector<NamedRecording> found;
  for (const std::string& argument : arguments) {
    std::error_code none;
    if (fs::is_directory(argument, none)) {
      add_folder(argument, found);
    } else if (is_list(argument)) {
      add_list(argument, found);
    } else {
      found.push_back({fs::path(argument).filename().string(), argument});
    }
  }
  return found;
}

std::vector<NamedRecording> named_recordings(const std::vector<std::string>& arguments) {
  std::vector<NamedRecording> found = found_recordings(arguments);
  std::set<std::string> names;
  for (const NamedRecording& one : found) {
    if (names.insert(one.name).second) continue;
    fail(ErrorKind::usage,
         fmt::format("{}: another recording is called '{}' too; names tell the rows apart", one.path, one.name));
  }
  return found;
}

}  // namespace motet::audio
