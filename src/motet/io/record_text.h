// Models as text: {"format": "motet-model", "kind": ..., "version": ..., "checksum": ..., "fields": {...}}.
//
// Reading throws Error{bad_data} "SOURCE: not a motet model file" for anything else, and when the checksum
// does not fit. It stands for kind, version and fields, not for blanks; who edits a file by hand leaves it
// out, as files of old did.
#pragma once

#include <string>
#include <string_view>

#include "motet/data/record.h"

namespace motet {

std::string record_text(const Record& record);
Record parse_record(std::string_view text, const std::string& source);

}  // namespace motet
