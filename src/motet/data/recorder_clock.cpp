#include "motet/data/recorder_clock.h"

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <cstdint>
#include <cstdio>

#include "motet/base/fields.h"

namespace motet {
namespace {

constexpr double day_seconds = 86400.0;

bool is_digit(char c) { return c >= '0' && c <= '9'; }

// A place in a text, from which numbers of fixed length are taken.
class Scanner {
 public:
  Scanner(std::string_view text, std::size_t at) : text_(text), at_(at) {}

  std::optional<int> number(std::size_t digits) {
    if (at_ + digits > text_.size()) return std::nullopt;
    int value = 0;
    for (std::size_t i = 0; i < digits; ++i) {
      if (!is_digit(text_[at_ + i])) return std::nullopt;
      value = 10 * value + (text_[at_ + i] - '0');
    }
    at_ += digits;
    return value;
  }
  // One of `allowed`, or none.
  char separator(std::string_view allowed) {
    if (at_ >= text_.size() || allowed.find(text_[at_]) == std::string_view::npos) return '\0';
    return text_[at_++];
  }
  bool ends_number() const { return at_ >= text_.size() || !is_digit(text_[at_]); }
  bool at_end() const { return at_ >= text_.size(); }

 private:
  std::string_view text_;
  std::size_t at_;
};

std::optional<double> date_at(Scanner& scan) {
  const auto year = scan.number(4);
  if (!year) return std::nullopt;
  const char between = scan.separator("-_.");
  const auto month = scan.number(2);
  if (!month || (between != '\0' && scan.separator(std::string_view(&between, 1)) == '\0')) return std::nullopt;
  const auto day = scan.number(2);
  if (!day) return std::nullopt;
  const std::chrono::year_month_day date{std::chrono::year(*year), std::chrono::month(static_cast<unsigned>(*month)),
                                         std::chrono::day(static_cast<unsigned>(*day))};
  // Recorders of sound with a clock are younger, and other numbers are often not dates.
  if (*year < 1970 || *year > 2199 || !date.ok()) return std::nullopt;
  return static_cast<double>(std::chrono::sys_days(date).time_since_epoch().count()) * day_seconds;
}

std::optional<double> time_at(Scanner& scan) {
  const auto hour = scan.number(2);
  const char between = scan.separator("-_.:");
  const auto minute = scan.number(2);
  if (!hour || !minute || (between != '\0' && scan.separator(std::string_view(&between, 1)) == '\0')) {
    return std::nullopt;
  }
  const auto second = scan.number(2);
  if (!second || !scan.ends_number() || *hour > 23 || *minute > 59 || *second > 59) return std::nullopt;
  return 3600.0 * *hour + 60.0 * *minute + *second;
}

}  // namespace

std::optional<double> clock_in_name(std::string_view path) {
  const std::size_t slash = path.rfind('/');
  const std::string_view name = slash == std::string_view::npos ? path : path.substr(slash + 1);
  for (std::size_t i = 0; i < name.size(); ++i) {
    if (!is_digit(name[i]) || (i > 0 && is_digit(name[i - 1]))) continue;
    Scanner scan(name, i);
    const auto date = date_at(scan);
    if (!date) continue;
    scan.separator("_-T .");
    const auto time = time_at(scan);
    if (time) return *date + *time;
  }
  return std::nullopt;
}

std::string clock_text(double seconds) {
  const auto total = static_cast<std::int64_t>(std::llround(seconds * 1000.0));
  const std::chrono::sys_time<std::chrono::milliseconds> moment{std::chrono::milliseconds(total)};
  const auto day = std::chrono::floor<std::chrono::days>(moment);
  const std::chrono::year_month_day date(day);
  const auto rest = (moment - day).count();
  std::array<char, 64> text{};
  std::snprintf(text.data(), text.size(), "%04d-%02u-%02uT%02d:%02d:%02d", static_cast<int>(date.year()),
                static_cast<unsigned>(date.month()), static_cast<unsigned>(date.day()),
                static_cast<int>(rest / 3'600'000), static_cast<int>(rest / 60'000 % 60),
                static_cast<int>(rest / 1000 % 60));
  std::string result(text.data());
  if (rest % 1000 == 0) return result;
  std::snprintf(text.data(), text.size(), ".%03d", static_cast<int>(rest % 1000));
  return result + text.data();
}

std::optional<double> parse_clock_seconds(std::string_view text) {
  const std::size_t fields = static_cast<std::size_t>(std::count(text.begin(), text.end(), ':')) + 1;
  if (fields < 2 || fields > 3) return std::nullopt;
  double total = 0.0;
  for (std::size_t i = 0; i < fields; ++i) {
    const std::size_t end = std::min(text.find(':'), text.size());
    const std::string_view part = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    if (part.empty() || !is_digit(part.front()) || !is_digit(part.back())) return std::nullopt;
    const bool is_last = i + 1 == fields;
    if (!std::all_of(part.begin(), part.end(), [&](char c) { return is_digit(c) || (is_last && c == '.'); })) {
      return std::nullopt;
    }
    const Result<double> value = parse_double(part);
    if (!value || (i > 0 && value.value() >= 60.0)) return std::nullopt;
    total = 60.0 * total + value.value();
  }
  return total;
}

std::optional<double> parse_date(std::string_view text) {
  Scanner scan(text, 0);
  if (text.size() != 10 || text[4] != '-') return std::nullopt;
  return date_at(scan);
}

}  // namespace motet
