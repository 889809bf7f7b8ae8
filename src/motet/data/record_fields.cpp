#include "motet/data/record_fields.h"

#include <fmt/format.h>

#include <cmath>

namespace motet {

std::vector<double> finite_numbers(const Value& value, std::string_view key, std::size_t size) {
  std::vector<double> numbers = numbers_at(value, key, size);
  for (const double number : numbers) {
    if (!std::isfinite(number)) fail(ErrorKind::bad_data, fmt::format("field '{}' is not finite", key));
  }
  return numbers;
}

double finite_at(const Value& value, std::string_view key) {
  const double number = value.at(key).as_number();
  if (!std::isfinite(number)) fail(ErrorKind::bad_data, fmt::format("field '{}' is not a finite number", key));
  return number;
}

std::size_t count_at(const Value& value, std::string_view key) {
  const std::int64_t count = value.at(key).as_whole();
  if (count < 0) fail(ErrorKind::bad_data, fmt::format("field '{}' = {} is negative", key, count));
  return static_cast<std::size_t>(count);
}

namespace {

void require_within(double number, std::string_view key, double low, double high) {
  if (number >= low && number <= high) return;
  fail(ErrorKind::bad_data,
       fmt::format("field '{}' = {} is outside [{}, {}]", key, to_text(number), to_text(low), to_text(high)));
}

}  // namespace

std::vector<double> numbers_within(const Value& value, std::string_view key, std::size_t size, double low,
                                   double high) {
  std::vector<double> numbers = numbers_at(value, key, size);
  for (const double number : numbers) require_within(number, key, low, high);
  return numbers;
}

double number_within(const Value& value, std::string_view key, double low, double high) {
  const double number = value.at(key).as_number();
  require_within(number, key, low, high);
  return number;
}

void require_shares(std::span<const double> numbers, std::size_t count, std::size_t step, std::string_view key) {
  constexpr double rounding = 1e-6;  // of numbers that someone typed, too
  double sum = 0.0;
  for (std::size_t i = 0; i < count; ++i) sum += numbers[i * step];
  if (std::abs(sum - 1.0) > rounding) {
    fail(ErrorKind::bad_data, fmt::format("field '{}' has shares that sum to {}, not 1", key, to_text(sum)));
  }
}

}  // namespace motet
