#include "motet/app/discover/clips.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <system_error>

#include "motet/app/discover/recorded_files.h"
#include "motet/base/error.h"
#include "motet/io/audio_file.h"
#include "motet/io/destination.h"
#include "motet/io/sound_file.h"
#include "motet/io/words.h"

namespace motet::discover {
namespace {

std::string clip_name(const ClipOptions& options, const ToldItem& item, std::size_t i, std::size_t count) {
  std::error_code none;
  if (options.clip.ends_with('/') || std::filesystem::is_directory(options.clip, none)) {
    return (std::filesystem::path(options.clip) / fmt::format("row-{}.wav", item.row + 1)).string();
  }
  if (!lower(options.clip).ends_with(".wav")) {
    fail(ErrorKind::usage,
         fmt::format("--clip {}: is neither a folder that is there nor the name of a .wav", options.clip));
  }
  if (count == 1) return options.clip;
  const std::size_t end = options.clip.size() - std::string_view(".wav").size();
  return fmt::format("{}-{}{}", options.clip.substr(0, end), i + 1, options.clip.substr(end));
}

Sound sound_around(const std::string& path, const ToldItem& item, double seconds) {
  AudioReader reader(path, std::nullopt);
  const double rate = reader.info().sample_rate;
  const double middle = 0.5 * (item.begin + item.end);
  const auto first = static_cast<std::uint64_t>(std::llround(std::max(0.0, middle - 0.5 * seconds) * rate));
  const auto end = static_cast<std::uint64_t>(std::llround((middle + 0.5 * seconds) * rate));
  reader.skip_to(first);
  std::vector<std::vector<float>> channels;
  const std::size_t got = reader.read_all(static_cast<std::size_t>(end - first), channels);
  if (got == 0) {
    fail(ErrorKind::bad_data,
         fmt::format("{}: ends before the question at {} s; is it what the project was begun with?", path,
                     to_text(item.begin)));
  }
  channels.erase(channels.begin());  // their mean
  return {rate, std::move(channels)};
}

}  // namespace

void write_clips(const std::string& project_path, const Project& project, const ClipOptions& options,
                 std::vector<ToldItem>& items) {
  const std::vector<RecordedFile> files = recorded_files(project.sources());
  if (files.empty()) {
    fail(ErrorKind::unanswerable,
         fmt::format("{}: its rows come from a table; there is no sound for --clip", project_path));
  }
  for (std::size_t i = 0; i < items.size(); ++i) {
    ToldItem& item = items[i];
    const auto file =
        std::find_if(files.begin(), files.end(), [&](const RecordedFile& one) { return one.name == item.recording; });
    if (file == files.end()) fail(ErrorKind::internal, "no file is known of " + item.recording);
    const std::string path = found_file(*file, options.recordings);
    item.clip = clip_name(options, item, i, items.size());
    if (same_file(path, item.clip) || same_file(project_path, item.clip)) {
      fail(ErrorKind::usage, fmt::format("{}: would overwrite an input; choose another name", item.clip));
    }
    write_wav(item.clip, sound_around(path, item, options.clip_seconds));
  }
}

}  // namespace motet::discover
