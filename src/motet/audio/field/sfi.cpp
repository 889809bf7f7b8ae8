#include "motet/audio/field/sfi.h"

#include <memory>
#include <utility>

#include "motet/audio/field/bark.h"
#include "motet/audio/field/circular.h"
#include "motet/audio/window_cutter.h"
#include "motet/base/error.h"

namespace motet::audio {
namespace {

constexpr std::size_t tenths = 10;
constexpr std::size_t field_channels = 4;

void check_field(const FrameClock& frames, const SoundShape& sound, std::size_t parts) {
  if (sound.channels < field_channels) {
    fail(ErrorKind::usage,
         "sound field indicators need four channels (left front, left back, right front, right back); "
         "here " +
             std::string(sound.channels == 1 ? "is 1" : "are " + std::to_string(sound.channels)));
  }
  const double least = static_cast<double>(parts * welch_segment) / sound.sample_rate;
  if (frames.window < least) {
    fail(ErrorKind::usage, "a window of " + to_text(frames.window) + " s is too short for sound field indicators; " +
                               to_text(least) + " s or more are needed at " + to_text(sound.sample_rate) + " Hz");
  }
}

struct BandNames {
  std::vector<std::string> columns;
  std::vector<std::string> units;
};

void append_band_names(const std::vector<IndicatorName>& indicators, double sample_rate, const std::string& ending,
                       BandNames& names) {
  const std::vector<std::string> bands = bark_names(sample_rate);
  for (const IndicatorName& indicator : indicators) {
    for (const std::string& band : bands) {
      std::string name = indicator.name;
      names.columns.push_back(name.append("_").append(band).append(ending));
      names.units.push_back(indicator.unit);
    }
  }
}

enum class Spread { mean, deviation, both };

// The indicators of the left side in each tenth of a frame, then what they have in common and how they vary.
class ShortTime {
 public:
  ShortTime(const SfiOptions& options, double sample_rate, Spread spread)
      : options_(options), indicators_(indicators_of_side(options, "12")), sample_rate_(sample_rate), spread_(spread) {}

  BandNames names() const {
    BandNames names;
    if (spread_ != Spread::deviation) append_band_names(indicators_, sample_rate_, "_a10", names);
    if (spread_ != Spread::mean) append_band_names(indicators_, sample_rate_, "_s10", names);
    return names;
  }

  void operator()(std::span<const std::span<const float>> frame, std::vector<double>& rows) {
    std::vector<double> values;
    for (std::size_t i = 0; i < tenths; ++i) append_tenth(frame, i, values);
    const std::size_t width = values.size() / tenths;
    std::vector<AngleSpread> spreads(width);
    std::vector<double> of_one(tenths);
    for (std::size_t j = 0; j < width; ++j) {
      for (std::size_t i = 0; i < tenths; ++i) of_one[i] = values[i * width + j];
      const bool is_angle = indicators_[j / bark_bands].is_phase && options_.phase_mean == PhaseMean::circular;
      spreads[j] = is_angle ? circular_spread(of_one) : arithmetic_spread(of_one);
    }
    if (spread_ != Spread::deviation) {
      for (const AngleSpread& one : spreads) rows.push_back(one.mean);
    }
    if (spread_ != Spread::mean) {
      for (const AngleSpread& one : spreads) rows.push_back(one.deviation);
    }
  }

 private:
  void append_tenth(std::span<const std::span<const float>> frame, std::size_t i, std::vector<double>& values) {
    const std::size_t samples = frame[0].size();
    const std::size_t first = i * samples / tenths;
    const std::size_t end = (i + 1) * samples / tenths;
    std::vector<std::span<const float>> part;
    for (const std::span<const float>& channel : frame.first(field_channels)) {
      part.push_back(channel.subspan(first, end - first));
    }
    append_left_side(welch_.spectra(part, sample_rate_), sample_rate_, options_, values);
  }

  SfiOptions options_;
  std::vector<IndicatorName> indicators_;
  double sample_rate_;
  Spread spread_;
  Welch welch_;
};

FeatureStream spread_stream(const SfiOptions& options, const FrameClock& frames, const SoundShape& sound,
                            Spread spread) {
  check_ranges(options);
  check_field(frames, sound, tenths);
  const auto work = std::make_shared<ShortTime>(options, sound.sample_rate, spread);
  BandNames names = work->names();
  return stream_of_frames(
      std::move(names.columns), std::move(names.units), frames, WindowCutter(frames, sound),
      [work](std::span<const std::span<const float>> frame, std::vector<double>& rows) { (*work)(frame, rows); });
}

}  // namespace

FeatureStream sfi_stream(const SfiOptions& options, const FrameClock& frames, const SoundShape& sound) {
  check_ranges(options);
  check_field(frames, sound, 1);
  BandNames names;
  append_band_names(all_indicators(options), sound.sample_rate, "", names);
  const auto welch = std::make_shared<Welch>();
  return stream_of_frames(std::move(names.columns), std::move(names.units), frames, WindowCutter(frames, sound),
                          [welch, options, rate = sound.sample_rate](std::span<const std::span<const float>> frame,
                                                                     std::vector<double>& rows) {
                            append_all_indicators(welch->spectra(frame, rate), rate, options, rows);
                          });
}

FeatureStream sfi_average_stream(const SfiOptions& options, const FrameClock& frames, const SoundShape& sound) {
  return spread_stream(options, frames, sound, Spread::mean);
}
FeatureStream sfi_deviation_stream(const SfiOptions& options, const FrameClock& frames, const SoundShape& sound) {
  return spread_stream(options, frames, sound, Spread::deviation);
}
FeatureStream sfi_short_time_stream(const SfiOptions& options, const FrameClock& frames, const SoundShape& sound) {
  return spread_stream(options, frames, sound, Spread::both);
}

}  // namespace motet::audio
