#include "motet/app/audio/recording_table.h"

#include <filesystem>
#include <utility>

#include "motet/base/error.h"
#include "motet/io/audio_file.h"

namespace motet::audio {

bool are_recordings(const std::vector<std::string>& arguments) {
  if (arguments.empty()) return false;
  std::error_code none;
  return is_audio_name(arguments.front()) || std::filesystem::is_directory(arguments.front(), none);
}

RecordingTable recording_table(const std::vector<std::string>& arguments, const RecordingOptions& options,
                               const RunContext& run) {
  const std::vector<NamedRecording> recordings = named_recordings(arguments);
  std::vector<RecordingFeatures> heard(recordings.size());
  RunContext silent = run;
  if (recordings.size() > 1) silent.observer = {};
  for_each_task(recordings.size(), run.threads.here(), [&](std::size_t i) {
    heard[i] = recording_features(recordings[i].path, options, silent);
    heard[i].features.sequences[0] = recordings[i].name;
  });
  RecordingTable table;
  for (std::size_t i = 0; i < heard.size(); ++i) {
    table.warnings.insert(table.warnings.end(), heard[i].warnings.begin(), heard[i].warnings.end());
    if (i == 0) {
      table.features = std::move(heard[i].features);
    } else {
      with_frame(recordings[i].path, [&] { append(table.features, heard[i].features); });
    }
    heard[i] = {};
  }
  return table;
}

}  // namespace motet::audio
