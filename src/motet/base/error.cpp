#include "motet/base/error.h"

#include <array>
#include <charconv>

namespace motet {

void Error::add_frame(std::string_view frame) { text_ = std::string(frame) + ": " + text_; }

void fail(ErrorKind kind, std::string message) { throw Error(kind, std::move(message)); }

std::string to_text(double value) {
  std::array<char, 32> buffer{};
  const auto written = std::to_chars(buffer.data(), buffer.data() + buffer.size(), value);
  return {buffer.data(), written.ptr};
}

}  // namespace motet
