// Where the bytes are that give a CSV text its shape.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

namespace motet {

// Offsets of delimiters, quotes, line feeds and NULs, ascending.
struct SpecialBytes {
  std::vector<std::uint32_t> offsets;  // only the first `count` mean something; the rest is room kept for later
  std::size_t count = 0;
  bool is_ascii = true;  // whether the text has no byte above 127
};

// `text` is shorter than 4 GiB. Looks at 64 bytes at a time where the machine allows.
void find_special_bytes(std::string_view text, char delimiter, SpecialBytes& found);

// The same, one byte at a time: for other machines and as a reference in tests.
void find_special_bytes_plainly(std::string_view text, char delimiter, SpecialBytes& found);

bool is_utf8(std::string_view text);

}  // namespace motet
