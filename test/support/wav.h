// Small recordings as the bytes of a file.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace motet {

// One channel of 16 bits, 8000 samples per second.
inline std::string wav_of(const std::vector<std::int16_t>& samples, std::uint32_t rate = 8000) {
  const auto number = [](std::uint32_t value, std::size_t bytes) {
    return std::string(reinterpret_cast<const char*>(&value), bytes);
  };
  const auto size = static_cast<std::uint32_t>(2 * samples.size());
  return "RIFF" + number(size + 36, 4) + "WAVEfmt " + number(16, 4) + number(1, 2) + number(1, 2) + number(rate, 4) +
         number(2 * rate, 4) + number(2, 2) + number(16, 2) + "data" + number(size, 4) +
         std::string(reinterpret_cast<const char*>(samples.data()), size);
}

}  // namespace motet
