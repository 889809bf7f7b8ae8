// When a recording began, by the clock of what recorded it, as many recorders write it into the names of their files.
//
// Times are seconds since 1970-01-01 00:00 of that clock; what zone it was set to nobody knows, so that only
// differences and what a person reads off it have a meaning.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace motet {

// From the first date and time of day in the name of the file, whatever stands around them:
//   20260519_043000.wav  SITE-20260519T043000.flac  2026-05-19T04-30-00.wav  2026-05-19 04:30:00
// A time without seconds or without a date does not suffice.
std::optional<double> clock_in_name(std::string_view path);

// "2026-05-19T04:30:05", with milliseconds where there are any.
std::string clock_text(double seconds);

// 183 for "3:03", 3723.5 for "1:02:03.5": minutes and seconds, or hours before them; minutes behind hours, and
// seconds, are below 60.
std::optional<double> parse_clock_seconds(std::string_view text);

// Seconds since 1970-01-01 for "2026-05-19".
std::optional<double> parse_date(std::string_view text);

}  // namespace motet
