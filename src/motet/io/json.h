// Values as JSON text, and back.
#pragma once

#include <string>
#include <string_view>

#include "motet/data/value.h"

namespace motet {

// `indent` spaces per level, 0 for all on one line; a list without lists or objects
// in it is always on one line. Numbers read back as the same numbers, a double as
// a double; NaN and infinities become null; bytes that are not UTF-8 become U+FFFD.
std::string to_json(const Value& value, int indent);

// Throws Error{bad_data} "SOURCE:LINE: ...".
Value parse_json(std::string_view text, std::string_view source);

}  // namespace motet
