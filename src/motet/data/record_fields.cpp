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

}  // namespace motet
