#include "motet/app/recording_features.h"

#include <fmt/format.h>

#include <filesystem>

#include "motet/base/available_memory.h"
#include "motet/base/error.h"
#include "motet/io/audio_file.h"
#include "motet/io/resampler.h"

namespace motet {
namespace {

constexpr std::size_t block_samples = 65536;
constexpr double seconds_a_report = 60.0;
constexpr double least_kept = 0.1;  // of what channels that have nothing to do with each other keep in their mean

// Tells about every minute of sound, and whether to go on.
class HearingProgress {
 public:
  HearingProgress(const std::string& path, double promised_seconds, const RunContext& run)
      : stage_("hearing " + path), promised_(promised_seconds), run_(run) {}

  void at(double seconds) {
    if (run_.cancelled()) fail(ErrorKind::interrupted, "interrupted while " + stage_);
    if (!run_.observer || seconds < next_report_) return;
    run_.observer({stage_, seconds / 60.0, promised_ / 60.0, "minutes"});
    next_report_ = seconds + seconds_a_report;
  }

 private:
  std::string stage_;
  double promised_;
  const RunContext& run_;
  double next_report_ = 0.0;
};

// Blocks of sound: the one channel first, and all behind it where a set needs them; at the rate that was asked for.
class SoundBlocks {
 public:
  SoundBlocks(AudioReader& reader, bool takes_all, double rate) : reader_(reader), takes_all_(takes_all) {
    channels_.resize(takes_all ? 1 + reader.info().channels : 1);
    if (rate > 0.0 && rate != reader.info().sample_rate) {
      resampler_.emplace(reader.info().sample_rate, rate, channels_.size());
    }
  }

  // False at the end; a block may be empty before it.
  bool next() {
    if (at_end_) return false;
    std::size_t got = 0;
    if (takes_all_) {
      got = reader_.read_all(block_samples, channels_);
    } else {
      channels_[0].resize(block_samples);
      got = reader_.read(channels_[0]);
      channels_[0].resize(got);
    }
    at_end_ = got == 0;
    if (resampler_) resampler_->push(channels_);
    return !at_end_ || !channels_[0].empty();
  }

  std::vector<std::span<const float>> block() const { return {channels_.begin(), channels_.end()}; }

 private:
  AudioReader& reader_;
  bool takes_all_;
  std::optional<Resampler> resampler_;
  std::vector<std::vector<float>> channels_;
  bool at_end_ = false;
};

// Two microphones of which one is wired the wrong way round: what is in the middle is gone from the mean.
std::string cancelling_told(const std::string& path, const AudioReader& reader) {
  const std::optional<double> kept = reader.share_kept_by_mean();
  if (!kept || *kept * static_cast<double>(reader.info().channels) >= least_kept) return "";
  return fmt::format(
      "{}: its channels cancel each other: their mean has {:.2g} % of their power; hear one of them with "
      "--channel 1",
      path, 100.0 * *kept);
}

[[noreturn]] void fail_without_rows(const std::string& path, const Heard& heard, const RecordingOptions& options) {
  if (heard.seconds == 0.0) fail(ErrorKind::bad_data, path + ": the recording is empty");
  const double window = options.features.mfcc.window_at(heard.sample_rate);
  if (options.features.rows.pool != audio::Pool::none && heard.seconds >= window) {
    fail(ErrorKind::bad_data, fmt::format("{}: {} s are less than the {} rows of --pool-rows", path,
                                          to_text(heard.seconds), options.features.rows.pool_rows));
  }
  fail(ErrorKind::bad_data,
       fmt::format("{}: {} s are shorter than the window of {} s", path, to_text(heard.seconds), to_text(window)));
}

}  // namespace

RecordingOptions settled(RecordingOptions options, const VerbContext& context) {
  const auto given = [&](std::string_view name) { return is_given(context, name); };
  options.features = audio::settled(std::move(options.features), given);
  return options;
}

Heard hear_recording(const std::string& path, const RecordingOptions& options, const RunContext& run,
                     const RowTaker& take) {
  const auto channel = options.channel == 0 ? std::nullopt : std::optional(options.channel);
  const bool takes_all = audio::needs_all_channels(options.features);
  AudioReader reader(path, channel);
  Heard heard;
  heard.sample_rate = options.rate > 0.0 ? options.rate : reader.info().sample_rate;
  heard.channels = reader.info().channels;
  const audio::FeatureStream stream = with_frame(path, [&] {
    return audio::feature_stream(options.features, {heard.sample_rate, heard.channels});
  });
  heard.columns = stream.columns;
  heard.units = stream.units;
  heard.clock = stream.clock;
  const double file_rate = reader.info().sample_rate;
  heard.file_rate = file_rate;
  HearingProgress progress(path, static_cast<double>(reader.info().promised_frames) / file_rate, run);
  std::vector<double> rows;
  const auto hand_on = [&] {
    if (rows.empty()) return;
    heard.rows += rows.size() / heard.columns.size();
    take(heard, rows);
    rows.clear();
  };
  SoundBlocks sound(reader, takes_all, options.rate);
  while (sound.next()) {
    stream.push(sound.block(), rows);
    hand_on();
    heard.seconds = static_cast<double>(reader.frames_read()) / file_rate;
    progress.at(heard.seconds);
  }
  stream.finish(rows);
  hand_on();
  if (const std::string warning = reader.warning(); !warning.empty()) heard.warnings.push_back(warning);
  if (const std::string told = cancelling_told(path, reader); !told.empty()) heard.warnings.push_back(told);
  for (const std::string& warning : stream.warnings) heard.warnings.push_back(fmt::format("{}: {}", path, warning));
  if (heard.rows == 0) fail_without_rows(path, heard, options);
  return heard;
}

RecordingFeatures recording_features(const std::string& path, const RecordingOptions& options, const RunContext& run) {
  RecordingFeatures result;
  Heard heard = hear_recording(path, options, run, [&](const Heard&, std::span<const double> rows) {
    make_room(result.features.values, rows.size(), path);
    result.features.values.insert(result.features.values.end(), rows.begin(), rows.end());
  });
  result.features.columns = std::move(heard.columns);
  result.features.starts.push_back(heard.rows);
  result.features.sequences.push_back(std::filesystem::path(path).filename().string());
  result.features.clock = heard.clock;
  result.seconds = heard.seconds;
  result.file_rate = heard.file_rate;
  result.sample_rate = heard.sample_rate;
  result.warnings = std::move(heard.warnings);
  return result;
}

}  // namespace motet
