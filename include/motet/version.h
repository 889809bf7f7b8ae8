// The version of Motet that a program is compiled with. The build reads it from here.
#pragma once

#include <string_view>

namespace motet {

constexpr int version_major = 0;
constexpr int version_minor = 1;
constexpr int version_patch = 0;
constexpr std::string_view version_text = "0.1.0";

}  // namespace motet
