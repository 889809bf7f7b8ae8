// Values and records as JSON text, and back.
#pragma once

#include <string>
#include <string_view>

#include "motet/data/record.h"
#include "motet/data/value.h"

namespace motet {

// `indent` spaces a level, 0 for all on one line; a list without lists or objects
// in it is always on one line. Numbers read back as the same numbers, a double as
// a double; NaN and infinities become null; bytes that are not UTF-8 become U+FFFD.
std::string to_json(const Value& value, int indent);

// Throws Error{bad_data} "SOURCE:LINE: ...".
Value parse_json(std::string_view text, std::string_view source);

// A model file: {"format": "motet-model", "kind": ..., "version": ..., "checksum": ...,
// "fields": {...}}. Reading throws Error{bad_data} "FILE: not a motet model file" for anything
// else, and when the checksum does not fit. It stands for kind, version and fields, not for
// blanks; who edits a file by hand leaves it out, as files of old did.
std::string record_text(const Record& record);
Record parse_record(std::string_view text, const std::string& source);
void write_record(const std::string& path, const Record& record);
Record read_record(const std::string& path);

}  // namespace motet
