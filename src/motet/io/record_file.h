// Models in files, as record_text.h writes them.
#pragma once

#include <string>

#include "motet/data/record.h"

namespace motet {

void write_record(const std::string& path, const Record& record);
Record read_record(const std::string& path);

}  // namespace motet
