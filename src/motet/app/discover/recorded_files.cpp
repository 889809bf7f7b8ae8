#include "motet/app/discover/recorded_files.h"

#include <fmt/format.h>

#include <filesystem>
#include <system_error>

#include "motet/base/error.h"
#include "motet/io/json.h"

namespace motet::discover {
namespace {

namespace fs = std::filesystem;

double number_or_zero(const Value& object, std::string_view key) {
  const Value* value = object.find(key);
  return value == nullptr ? 0.0 : value->as_number();
}

bool is_file(const fs::path& path) {
  std::error_code none;
  return fs::is_regular_file(path, none);
}

}  // namespace

std::vector<RecordedFile> recorded_files(const std::vector<ProjectSource>& sources) {
  std::vector<RecordedFile> files;
  for (const ProjectSource& source : sources) {
    if (source.origin.empty()) continue;
    const Value origin = parse_json(source.origin, "the origin of the project");
    if (origin.at("kind").as_text() != "recordings") continue;
    for (const Value& file : origin.at("files").as_list()) {
      files.push_back({file.at("name").as_text(), file.at("path").as_text(), number_or_zero(file, "seconds"),
                       number_or_zero(file, "sample_rate")});
    }
  }
  return files;
}

std::string found_file(const RecordedFile& file, const std::string& folder) {
  if (folder.empty()) {
    for (const std::string& path : {file.path, file.name}) {
      if (is_file(path)) return path;
    }
    fail(ErrorKind::bad_data,
         fmt::format("{}: is not at {} any more; say where with --recordings FOLDER", file.name, file.path));
  }
  // The longest end of its path that is there: folders of the same file names stay apart.
  const fs::path whole = fs::path(file.path).relative_path();
  for (auto begin = whole.begin(); begin != whole.end(); ++begin) {
    fs::path end;
    for (auto part = begin; part != whole.end(); ++part) end /= *part;
    const fs::path candidate = fs::path(folder) / end;
    if (is_file(candidate)) return candidate.string();
  }
  fail(ErrorKind::bad_data,
       fmt::format("{}: there is no {} in --recordings {}", file.name, whole.filename().string(), folder));
}

}  // namespace motet::discover
