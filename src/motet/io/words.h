// Pieces of text that the readers share.
#pragma once

#include <string>
#include <string_view>

namespace motet {

inline constexpr std::string_view byte_order_mark = "\xEF\xBB\xBF";
inline constexpr std::string_view spaces = " \t";

std::string_view trimmed(std::string_view text);  // without the spaces around it
std::string lower(std::string_view text);         // ASCII letters only

}  // namespace motet
