#include "motet/app/recording_features.h"

#include <fmt/format.h>

#include <filesystem>

#include "motet/base/available_memory.h"
#include "motet/base/error.h"
#include "motet/io/audio_file.h"

namespace motet {

RecordingFeatures recording_features(const std::string& path, const audio::MfccOptions& options,
                                     std::optional<std::size_t> channel, const RunContext& run) {
  constexpr std::size_t block_samples = 65536;
  constexpr double seconds_a_report = 60.0;
  AudioReader reader(path, channel);
  const double rate = reader.info().sample_rate;
  audio::MfccStream stream = with_frame(path, [&] { return audio::MfccStream(options, rate); });
  RecordingFeatures result;
  std::vector<double>& rows = result.features.values;
  const double promised = static_cast<double>(reader.info().promised_frames) / rate;
  const double numbers = (promised / options.hop + 2.0) * static_cast<double>(options.coefficients);
  // A header that promises more than half of the memory is not to be trusted.
  if (16.0 * numbers < static_cast<double>(available_memory())) rows.reserve(static_cast<std::size_t>(numbers));
  const std::string stage = "hearing " + path;
  double next_report = 0.0;
  std::vector<float> block(block_samples);
  for (std::size_t got = reader.read(block); got != 0; got = reader.read(block)) {
    stream.push(std::span(block).first(got), rows);
    if (run.cancelled()) fail(ErrorKind::interrupted, "interrupted while " + stage);
    result.seconds = static_cast<double>(reader.frames_read()) / rate;
    if (run.observer && result.seconds >= next_report) {
      run.observer({stage, result.seconds / 60.0, promised / 60.0, "minutes"});
      next_report = result.seconds + seconds_a_report;
    }
  }
  stream.finish(rows);
  if (reader.frames_read() == 0) fail(ErrorKind::bad_data, path + ": the recording is empty");
  if (const std::string warning = reader.warning(); !warning.empty()) result.warnings.push_back(warning);
  if (rows.empty()) {
    fail(ErrorKind::bad_data, fmt::format("{}: {} s are shorter than the window of {} s", path, to_text(result.seconds),
                                          to_text(options.window)));
  }
  result.features.columns = stream.columns();
  result.features.starts.push_back(rows.size() / options.coefficients);
  result.features.sequences.push_back(std::filesystem::path(path).filename().string());
  result.features.clock = stream.clock();
  return result;
}

}  // namespace motet
