#include "experiments/discover/recorded_clips.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <string_view>

#include "experiments/discover/recording_events.h"
#include "motet/io/csv.h"
#include "motet/io/resampler.h"
#include "motet/io/sound_file.h"

namespace motet::discover {
namespace {

constexpr double overlap_seconds = 0.5;
constexpr double silence_part = 0.00316;  // -50 dB

Wave trimmed(const std::vector<float>& samples) {
  float loudest = 0.0F;
  for (const float x : samples) loudest = std::max(loudest, std::abs(x));
  const auto sounds = [&](float x) { return std::abs(x) > static_cast<float>(silence_part) * loudest; };
  const auto first = std::find_if(samples.begin(), samples.end(), sounds);
  const auto last = std::find_if(samples.rbegin(), samples.rend(), sounds).base();
  return first < last ? Wave(first, last) : Wave();
}

Wave read_clip(const std::string& path, double rate) {
  std::vector<std::string> warnings;  // these clips are known
  Sound sound = read_sound(path, {}, warnings);
  std::vector<std::vector<float>> mono = {std::move(sound.channels[0])};
  if (sound.sample_rate == rate) return trimmed(mono[0]);
  Resampler resampler(sound.sample_rate, rate, 1);
  std::vector<float> all;
  for (int rest = 0; rest < 2; ++rest) {
    resampler.push(mono);
    all.insert(all.end(), mono[0].begin(), mono[0].end());
    mono[0].clear();
  }
  return trimmed(all);
}

}  // namespace

bool has_clips(const std::string& folder) { return !folder.empty() && std::filesystem::exists(folder + "/clips.csv"); }

RecordedClips read_clips(const std::string& folder, double rate) {
  RecordedClips clips;
  if (!has_clips(folder)) return clips;
  CsvReader reader(folder + "/clips.csv");
  const auto column = [&](std::string_view name) {
    const auto found = std::find(reader.header().begin(), reader.header().end(), name);
    if (found == reader.header().end())
      reader.fail_at(reader.header_line(), fmt::format("column '{}' is missing", name));
    return static_cast<std::size_t>(found - reader.header().begin());
  };
  const std::size_t file = column("file");
  const std::size_t category = column("category");
  for (CsvRows rows = reader.next_rows(); rows.size() > 0; rows = reader.next_rows()) {
    for (std::size_t row = 0; row < rows.size(); ++row) {
      clips[std::string(rows[row][category])].push_back(read_clip(fmt::format("{}/{}", folder, rows[row][file]), rate));
    }
  }
  return clips;
}

Wave background_of_clips(const RecordedClips& clips, const std::vector<std::string>& categories, double seconds,
                         double rate, Rng rng) {
  std::vector<const Wave*> all;
  for (const std::string& category : categories) {
    for (const Wave& clip : clips.at(category)) {
      if (clip.size() > 2 * samples_of(overlap_seconds, rate)) all.push_back(&clip);
    }
  }
  Wave sound(samples_of(seconds, rate));
  const double overlap = overlap_seconds * rate;
  for (std::size_t at = 0; at < sound.size();) {
    const Wave& clip = *all[rng.below(all.size())];
    const double gain = std::pow(10.0, rng.uniform(-0.15, 0.15)) / std::sqrt(mean_square(clip));
    const auto length = static_cast<double>(clip.size());
    for (std::size_t i = 0; i < clip.size() && at + i < sound.size(); ++i) {
      const double from_end = std::min(static_cast<double>(i), length - static_cast<double>(i)) / overlap;
      // The power of both halves of a fade adds up to one.
      sound[at + i] += gain * std::sin(0.25 * turn * std::min(1.0, from_end)) * clip[i];
    }
    at += clip.size() - samples_of(overlap_seconds, rate);
  }
  return sound;
}

Wave event_of_clips(const std::vector<Wave>& clips, double rate, Rng of_occurrence) {
  const Wave& clip = clips[of_occurrence.below(clips.size())];
  const double speed = of_occurrence.uniform(0.96, 1.04);
  const auto count = static_cast<std::size_t>(static_cast<double>(clip.size() - 1) / speed);
  Wave wave(std::min(count, samples_of(longest_event, rate)));
  for (std::size_t i = 0; i < wave.size(); ++i) {
    const double place = static_cast<double>(i) * speed;
    const auto before = static_cast<std::size_t>(place);
    const double part = place - static_cast<double>(before);
    wave[i] = (1.0 - part) * clip[before] + part * clip[before + 1];
  }
  return wave;
}

}  // namespace motet::discover
