#include "motet/app/audio/shown_columns.h"

#include <fmt/format.h>

#include <string_view>

#include "motet/app/recording_features.h"
#include "motet/audio/mel.h"

namespace motet::audio {
namespace {

std::string shown_hertz(double hertz) {
  constexpr double finer_below = 1000.0;  // where low bands of long windows are less than 1 Hz apart
  return hertz < finer_below ? fmt::format("{:.4g} Hz", hertz) : fmt::format("{:.0f} Hz", hertz);
}

std::vector<double> centres_of(const Value& settings, double sample_rate) {
  RecordingOptions options;
  for (const Field& field : fields_of(options)) {
    if (const Value* const text = settings.find(field.name)) field.set(text->as_text());
  }
  const bool is_resampled = options.rate > 0.0;
  return band_centres(options.features.mfcc, is_resampled ? options.rate : sample_rate);
}

}  // namespace

std::vector<std::string> shown_columns(const RowShape& shape, double sample_rate) {
  constexpr std::string_view of_frequency = "hz_";
  constexpr std::string_view of_band = "mel";
  const std::vector<double> centres =
      sample_rate > 0.0 ? centres_of(shape.options, sample_rate) : std::vector<double>();
  std::vector<std::string> shown = shape.columns;
  for (std::string& name : shown) {
    if (name.starts_with(of_frequency)) {
      const Result<double> hertz = parse_double(std::string_view(name).substr(of_frequency.size()));
      if (hertz) name = shown_hertz(hertz.value());
    } else if (name.starts_with(of_band)) {
      const Result<std::size_t> band = parse_size(std::string_view(name).substr(of_band.size()));
      if (band && band.value() < centres.size()) name += " " + shown_hertz(centres[band.value()]);
    }
  }
  return shown;
}

}  // namespace motet::audio
