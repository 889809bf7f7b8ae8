// What a text says.
#pragma once

#include <gtest/gtest.h>

#include <initializer_list>
#include <string>
#include <string_view>

namespace motet {

// All of these parts stand somewhere in the text.
inline void expect_in(std::string_view text, std::initializer_list<std::string_view> parts) {
  for (const std::string_view part : parts) {
    EXPECT_PRED_FORMAT2(testing::IsSubstring, std::string(part), std::string(text));
  }
}

}  // namespace motet
