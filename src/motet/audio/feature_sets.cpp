#include "motet/audio/feature_sets.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <memory>
#include <utility>

#include "motet/audio/field/sfi.h"
#include "motet/base/error.h"

namespace motet::audio {
namespace {

constexpr FrameClock song_frames{0.10, 0.25};

template <RowKind kind>
FeatureStream spectral_stream(const FeatureOptions& options, const SoundShape& sound) {
  return feature_stream(MfccStream(options.mfcc, sound.sample_rate, kind));
}

FrameClock clock_of(const FeatureOptions& options) { return {options.mfcc.hop, options.mfcc.window}; }

template <FeatureStream (*make)(const SfiOptions&, const FrameClock&, const SoundShape&)>
FeatureStream of_field(const FeatureOptions& options, const SoundShape& sound) {
  return make(options.sfi, clock_of(options), sound);
}

FeatureStream asa_features(const FeatureOptions& options, const SoundShape& sound) {
  return asa_stream(options.asa, clock_of(options), sound);
}

FeatureStream music_features(const FeatureOptions& options, const SoundShape& sound) {
  return music_stream(options.music, clock_of(options), sound);
}

FeatureStream event_features(const FeatureOptions& options, const SoundShape& sound) {
  return events_stream(options.events, options.mfcc, sound);
}

constexpr std::array sets = {
    FeatureSet{"mfcc", "mel-frequency cepstral coefficients", 1, song_frames, spectral_stream<RowKind::mfcc>},
    FeatureSet{"mel", "energies of mel bands", 1, song_frames, spectral_stream<RowKind::mel>},
    FeatureSet{"log-mel", "levels of mel bands", 1, song_frames, spectral_stream<RowKind::log_mel>},
    FeatureSet{"spectrogram", "levels of all frequencies", 1, song_frames, spectral_stream<RowKind::spectrogram>},
    FeatureSet{"sfi", "sound field indicators of four channels", 4, sfi_frames, of_field<sfi_stream>},
    FeatureSet{"sfi-avg", "their means over tenths of a row", 4, sfi_frames, of_field<sfi_average_stream>},
    FeatureSet{"sfi-std", "their deviations over tenths of a row", 4, sfi_frames, of_field<sfi_deviation_stream>},
    FeatureSet{"sfi-st", "both of these", 4, sfi_frames, of_field<sfi_short_time_stream>},
    FeatureSet{"asa", "auditory scene analysis", 1, sfi_frames, asa_features},
    FeatureSet{"music", "rhythm and envelope", 1, sfi_frames, music_features},
    FeatureSet{"events", "what rare events stand out by", 1, song_frames, event_features},
};

std::string known_names() {
  std::string names;
  for (const FeatureSet& set : sets) names += fmt::format("{}{}", names.empty() ? "" : ", ", set.name);
  return names;
}

// What one set, or one set of one channel, takes of what is pushed.
struct FeaturePart {
  const FeatureSet* set = nullptr;
  std::size_t first = 0;  // channel; 0 is the one that was chosen, those of the recording follow
  std::size_t count = 1;
};

// Rows of the parts wait until all parts have theirs.
struct JoinedParts {
  std::vector<FeaturePart> parts;
  std::vector<FeatureStream> streams;
  std::vector<std::vector<double>> waiting;  // rows of each

  void push(std::span<const std::span<const float>> channels, std::vector<double>& rows) {
    if (streams.size() == 1) return streams[0].push(channels.subspan(parts[0].first, parts[0].count), rows);
    for (std::size_t i = 0; i < streams.size(); ++i) {
      streams[i].push(channels.subspan(parts[i].first, parts[i].count), waiting[i]);
    }
    hand_out(rows);
  }

  void finish(std::vector<double>& rows) {
    if (streams.size() == 1) return streams[0].finish(rows);
    for (std::size_t i = 0; i < streams.size(); ++i) streams[i].finish(waiting[i]);
    hand_out(rows);
  }

  void hand_out(std::vector<double>& rows) {
    std::size_t count = static_cast<std::size_t>(-1);
    for (std::size_t i = 0; i < streams.size(); ++i) {
      count = std::min(count, waiting[i].size() / streams[i].columns.size());
    }
    for (std::size_t row = 0; row < count; ++row) {
      for (std::size_t i = 0; i < streams.size(); ++i) {
        const auto width = static_cast<std::ptrdiff_t>(streams[i].columns.size());
        const auto first = waiting[i].begin() + static_cast<std::ptrdiff_t>(row) * width;
        rows.insert(rows.end(), first, first + width);
      }
    }
    for (std::size_t i = 0; i < streams.size(); ++i) {
      const auto used = static_cast<std::ptrdiff_t>(count * streams[i].columns.size());
      waiting[i].erase(waiting[i].begin(), waiting[i].begin() + used);
    }
  }
};

void require_one_clock(const JoinedParts& joined) {
  const FrameClock& first = joined.streams[0].clock;
  for (std::size_t i = 1; i < joined.streams.size(); ++i) {
    const FrameClock& other = joined.streams[i].clock;
    if (other == first) continue;
    fail(ErrorKind::usage,
         fmt::format(
             "--set: rows of {} cover {} s every {} s, those of {} {} s every {} s; sets that are joined need one "
             "window and hop",
             joined.parts[0].set->name, to_text(first.window), to_text(first.hop), joined.parts[i].set->name,
             to_text(other.window), to_text(other.hop)));
  }
}

std::vector<FeaturePart> parts_of(const std::vector<const FeatureSet*>& chosen, bool each_channel,
                                  const SoundShape& sound) {
  std::vector<FeaturePart> parts;
  for (const FeatureSet* const set : chosen) {
    if (sound.channels < set->channels) {
      fail(ErrorKind::usage,
           fmt::format("--set {}: needs {} channels; the recording has {}", set->name, set->channels, sound.channels));
    }
    if (set->channels > 1) {
      parts.push_back({set, 1, sound.channels});
    } else if (each_channel) {
      for (std::size_t c = 1; c <= sound.channels; ++c) parts.push_back({set, c, 1});
    } else {
      parts.push_back({set, 0, 1});
    }
  }
  return parts;
}

}  // namespace

std::span<const FeatureSet> feature_sets() { return sets; }

std::string_view feature_sets_help() {
  static const std::string help = [] {
    std::string text = "which features, joined by commas:";
    for (const FeatureSet& set : sets) {
      text += fmt::format("{} {} ({}{})", &set == sets.data() ? "" : ",", set.name, set.help,
                          set.channels > 1 ? fmt::format(", of {} channels", set.channels) : "");
    }
    return text;
  }();
  return help;
}

const FeatureSet& feature_set(std::string_view name) {
  const auto found = std::find_if(sets.begin(), sets.end(), [&](const FeatureSet& set) { return set.name == name; });
  if (found == sets.end()) fail(ErrorKind::usage, fmt::format("--set: '{}' is not one of {}", name, known_names()));
  return *found;
}

std::vector<const FeatureSet*> feature_sets_in(std::string_view names) {
  std::vector<const FeatureSet*> chosen;
  for (std::size_t begin = 0; begin <= names.size();) {
    const std::size_t end = std::min(names.find(',', begin), names.size());
    const FeatureSet* const set = &feature_set(names.substr(begin, end - begin));
    if (std::find(chosen.begin(), chosen.end(), set) != chosen.end()) {
      fail(ErrorKind::usage, fmt::format("--set: {} is named twice", set->name));
    }
    chosen.push_back(set);
    begin = end + 1;
  }
  return chosen;
}

FeatureOptions settled(FeatureOptions options, const std::function<bool(std::string_view)>& is_given) {
  const std::vector<const FeatureSet*> chosen = feature_sets_in(options.set);
  if (options.preset != Preset::none) {
    apply_preset(options.preset, options.mfcc, is_given);
    return options;
  }
  const auto longest = std::max_element(chosen.begin(), chosen.end(), [](const FeatureSet* a, const FeatureSet* b) {
    return a->frames.window < b->frames.window;
  });
  if (!is_given("window")) options.mfcc.window = (*longest)->frames.window;
  if (!is_given("hop")) options.mfcc.hop = (*longest)->frames.hop;
  return options;
}

bool needs_all_channels(const FeatureOptions& options) {
  const std::vector<const FeatureSet*> chosen = feature_sets_in(options.set);
  const auto needs_several = [](const FeatureSet* set) { return set->channels > 1; };
  return options.each_channel || std::any_of(chosen.begin(), chosen.end(), needs_several);
}

FeatureStream feature_stream(const FeatureOptions& options, const SoundShape& sound) {
  FeatureStream joined = joined_stream(feature_sets_in(options.set), options, sound);
  std::vector<std::string> warnings = joined.warnings;
  FeatureStream stepped = with_row_steps(std::move(joined), options.rows);
  stepped.warnings = std::move(warnings);
  return stepped;
}

FeatureStream joined_stream(const std::vector<const FeatureSet*>& chosen, const FeatureOptions& options,
                            const SoundShape& sound) {
  const auto joined = std::make_shared<JoinedParts>();
  joined->parts = parts_of(chosen, options.each_channel, sound);
  FeatureStream all;
  for (const FeaturePart& part : joined->parts) {
    joined->streams.push_back(part.set->make(options, {sound.sample_rate, part.count}));
    const FeatureStream& stream = joined->streams.back();
    const bool is_of_one = options.each_channel && part.set->channels == 1;
    for (const std::string& column : stream.columns) {
      all.columns.push_back(is_of_one ? fmt::format("{}_{}", column, part.first) : column);
    }
    for (const std::string& warning : stream.warnings) {
      const std::string told = fmt::format("--set {}: {}", part.set->name, warning);
      if (std::find(all.warnings.begin(), all.warnings.end(), told) == all.warnings.end()) all.warnings.push_back(told);
    }
    all.units.insert(all.units.end(), stream.units.begin(), stream.units.end());
  }
  require_one_clock(*joined);
  joined->waiting.resize(joined->parts.size());
  all.clock = joined->streams[0].clock;
  all.push = [joined](std::span<const std::span<const float>> channels, std::vector<double>& rows) {
    joined->push(channels, rows);
  };
  all.finish = [joined](std::vector<double>& rows) { joined->finish(rows); };
  return all;
}

}  // namespace motet::audio
