// What the environment says of the size of a benchmark.
#pragma once

#include <cstddef>
#include <cstdlib>
#include <string>

namespace motet {

inline std::size_t number_or(const char* name, std::size_t otherwise) {
  const char* const text = std::getenv(name);
  return text != nullptr ? std::stoul(text) : otherwise;
}

}  // namespace motet
