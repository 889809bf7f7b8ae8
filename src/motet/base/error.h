// Throwing the errors of motet/error.h, and the frames around them.
#pragma once

#include <string>
#include <string_view>
#include <type_traits>
#include <utility>

#include "motet/error.h"

namespace motet {

[[noreturn]] void fail(ErrorKind kind, std::string message);

std::string to_text(double value);  // shortest text that reads back as the same value

// Runs `body`; an Error that leaves it gains `frame` as outermost context.
template <class Body>
auto with_frame(std::string_view frame, Body&& body) -> std::invoke_result_t<Body> {
  try {
    return std::forward<Body>(body)();
  } catch (Error& error) {
    error.add_frame(frame);
    throw;
  }
}

}  // namespace motet
