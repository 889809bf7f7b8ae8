// Names a file may refer to, and where they come from.
#pragma once

#include <string>
#include <string_view>

#include "motet/data/names.h"
#include "motet/io/csv.h"

namespace motet {

struct KnownNames {
  NameTable table;
  std::string kind;    // "permission": what they are, for messages
  std::string source;  // "access.csv": the file that has them
};

// The number of a name. Throws Error{bad_data} "sod.csv:3: permission 'fly' is not in
// access.csv", or "... the permission is empty".
std::uint32_t number_of(const KnownNames& known, std::string_view name, const CsvReader& reader, std::size_t line);

}  // namespace motet
