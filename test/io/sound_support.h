// A whole sound from a file, for tests; it must not warn.
#pragma once

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "motet/io/sound_file.h"

namespace motet {

inline Sound sound_in(const std::string& path) {
  std::vector<std::string> warnings;
  Sound sound = read_sound(path, {}, warnings);
  EXPECT_TRUE(warnings.empty());
  return sound;
}

}  // namespace motet
