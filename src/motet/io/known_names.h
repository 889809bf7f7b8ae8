// Names a file may refer to, and where they come from.
#pragma once

#include <string>

#include "motet/data/names.h"

namespace motet {

struct KnownNames {
  NameTable table;
  std::string kind;    // "permission": what they are, for messages
  std::string source;  // "access.csv": the file that has them
};

}  // namespace motet
