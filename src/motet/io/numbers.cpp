#include "motet/io/numbers.h"

#include <fmt/format.h>

namespace motet {

bool is_text(std::string_view text) {
  if (text.empty()) return false;
  if (text.front() == '+') text.remove_prefix(1);
  double number = 0.0;
  const auto [end, code] = std::from_chars(text.data(), text.data() + text.size(), number);
  return end != text.data() + text.size() || code == std::errc::invalid_argument;
}

std::string feature_problem(std::string_view text, std::string_view hint, std::size_t shown) {
  if (is_text(text)) return fmt::format("is '{}', which is no number; {}", text.substr(0, shown), hint);
  return fmt::format("is '{}'; every feature needs a finite number", text);
}

}  // namespace motet
