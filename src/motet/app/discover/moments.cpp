#include "motet/app/discover/moments.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "motet/app/discover/told.h"
#include "motet/base/error.h"
#include "motet/base/fields.h"
#include "motet/data/recorder_clock.h"

namespace motet::discover {
namespace {

constexpr double whole_day = 86400.0;

// What stands behind the @, as far as the text itself tells.
struct TimeText {
  std::optional<double> from_start;  // seconds
  std::optional<double> of_day;      // seconds since midnight
  std::optional<double> day;         // seconds since 1970
};

std::optional<double> time_of_day(std::string_view text) {
  const auto seconds = parse_clock_seconds(text);
  if (!seconds) return std::nullopt;
  const bool has_seconds = std::count(text.begin(), text.end(), ':') == 2;
  const double of_day = has_seconds ? *seconds : 60.0 * *seconds;  // T04:31
  return of_day < whole_day ? std::optional(of_day) : std::nullopt;
}

std::optional<TimeText> time_text(std::string_view text) {
  TimeText time;
  const std::size_t t = text.find_first_of("Tt ");
  if (t != std::string_view::npos) {
    time.of_day = time_of_day(text.substr(t + 1));
    if (t > 0) time.day = parse_date(text.substr(0, t));
    return time.of_day && (t == 0 || time.day) ? std::optional(time) : std::nullopt;
  }
  const bool is_told = text.starts_with('+');
  if (is_told) text.remove_prefix(1);
  if (const auto number = parse_double(text)) {
    time.from_start = number.value();
    return time;
  }
  time.from_start = parse_clock_seconds(text);
  if (!time.from_start) return std::nullopt;
  const bool has_hours = std::count(text.begin(), text.end(), ':') == 2;
  if (has_hours && !is_told && *time.from_start < whole_day) time.of_day = time.from_start;
  return time;
}

double end_of(const Features& features, std::size_t s) {
  const std::size_t rows = features.starts[s + 1] - features.starts[s];
  return rows == 0 ? 0.0 : features.clock.end(rows - 1);
}

bool is_in(const Features& features, std::size_t s, double seconds) {
  return features.starts[s + 1] > features.starts[s] && seconds >= 0.0 && seconds <= end_of(features, s);
}

// Seconds from the start of recording s at which its clock shows the time.
std::vector<double> places_by_clock(const Features& features, std::size_t s, const TimeText& time) {
  std::vector<double> places;
  const auto began = clock_in_name(features.sequences[s]);
  if (!time.of_day || !began) return places;
  const double first_day = std::floor(*began / whole_day) * whole_day;
  for (double day = time.day.value_or(first_day); day - *began <= end_of(features, s); day += whole_day) {
    const double seconds = day + *time.of_day - *began;
    if (is_in(features, s, seconds)) places.push_back(seconds);
    if (time.day) break;
  }
  return places;
}

struct Place {
  std::size_t sequence = 0;
  double seconds = 0.0;
};

[[noreturn]] void fail_outside(const Features& features, const std::string& item, std::size_t s, const TimeText& time) {
  const std::string& name = features.sequences[s];
  if (!time.from_start && clock_in(name, 0.0).empty()) {
    fail(
        ErrorKind::usage,
        fmt::format("item '{}': the name of '{}' does not say when it began; say the time from its start", item, name));
  }
  std::string text = fmt::format("item '{}' is not there; '{}' ends at {} s", item, name, to_text(end_of(features, s)));
  if (time.of_day && !clock_in(name, 0.0).empty()) {
    text += fmt::format(", and its clock goes from {} to {}", clock_in(name, 0.0), clock_in(name, end_of(features, s)));
  }
  fail(ErrorKind::usage, text);
}

[[noreturn]] void fail_several(const Features& features, const std::string& item, const std::string& time,
                               const std::vector<Place>& places, bool is_from_start) {
  const std::string& name = features.sequences[places[0].sequence];
  if (places[0].sequence != places[1].sequence) {
    fail(ErrorKind::usage, fmt::format("item '{}' may lie in '{}' or '{}'; say which recording", item, name,
                                       features.sequences[places[1].sequence]));
  }
  if (is_from_start) {
    fail(ErrorKind::usage,
         fmt::format("item '{}' may be {} from the start of '{}' or the time of day, {} s from the start; say @+{} or "
                     "@T{}",
                     item, time, name, to_text(places[1].seconds), time, time));
  }
  fail(ErrorKind::usage, fmt::format("item '{}': the clock of '{}' shows this time more than once; say the day, as in "
                                     "@{}",
                                     item, name, clock_in(name, places[0].seconds)));
}

}  // namespace

std::optional<std::size_t> row_at_time(const Features& features, const std::string& item, std::size_t at) {
  const std::string text = item.substr(at + 1);
  const std::optional<TimeText> time = time_text(text);
  if (!features.clock.has_time() || !time) return std::nullopt;
  const std::string name = item.substr(0, at);
  std::vector<std::size_t> sequences;
  if (name.empty() && features.sequences.size() > 1 && time->of_day) {  // the clock may tell which one
    for (std::size_t s = 0; s < features.sequences.size(); ++s) sequences.push_back(s);
  } else {
    sequences.push_back(recording_of(features, name));
  }
  std::vector<Place> places;
  const bool may_be_from_start = time->from_start && sequences.size() == 1;
  const bool is_from_start = may_be_from_start && is_in(features, sequences[0], *time->from_start);
  if (is_from_start) places.push_back({sequences[0], *time->from_start});
  for (const std::size_t s : sequences) {
    for (const double seconds : places_by_clock(features, s, *time)) {
      const bool is_same = is_from_start && seconds == *time->from_start;
      if (!is_same) places.push_back({s, seconds});
    }
  }
  if (places.empty() && sequences.size() > 1) {
    fail(ErrorKind::usage, fmt::format("item '{}': the clock of no recording shows this time; say which one", item));
  }
  if (places.empty()) fail_outside(features, item, sequences[0], *time);
  if (places.size() > 1) fail_several(features, item, text, places, is_from_start);
  const auto [s, seconds] = places[0];
  // The frame whose middle is nearest.
  const double nearest = std::round((seconds - 0.5 * features.clock.window) / features.clock.hop);
  const double last = static_cast<double>(features.starts[s + 1] - features.starts[s] - 1);
  return features.starts[s] + static_cast<std::size_t>(std::clamp(nearest, 0.0, last));
}

std::string clock_in(const std::string& recording, double seconds) {
  const auto began = clock_in_name(recording);
  return began ? clock_text(*began + seconds) : "";
}

}  // namespace motet::discover
