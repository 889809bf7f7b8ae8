// Numbers in the fields of tables: `-1.5`, `+2`, `3e-7`, with nothing around them.
#pragma once

#include <charconv>
#include <cmath>
#include <limits>
#include <string>
#include <string_view>
#include <system_error>

namespace motet {

// NaN for whatever is no finite number.
inline double number_in(std::string_view text) {
  if (!text.empty() && text.front() == '+') text.remove_prefix(1);
  double number = 0.0;
  const auto [end, code] = std::from_chars(text.data(), text.data() + text.size(), number);
  const bool is_good = code == std::errc() && end == text.data() + text.size() && std::isfinite(number);
  return is_good ? number : std::numeric_limits<double>::quiet_NaN();
}

// Whether it is neither empty nor a number, be it `inf`, `nan` or one beyond what a double holds.
bool is_text(std::string_view text);

// What is wrong with a feature for which number_in gives NaN, and which is not empty: "is 'x', which is no number;
// HINT" with as much of the text, or "is 'inf'; every feature needs a finite number".
std::string feature_problem(std::string_view text, std::string_view hint, std::size_t shown = std::string_view::npos);

}  // namespace motet
