// Business attributes of users from a CSV table: the first column is the user, every
// other column an attribute such as department or site; an empty field is missing.
#pragma once

#include <cstddef>
#include <string>

#include "motet/base/run.h"
#include "motet/data/access.h"
#include "motet/io/known_names.h"

namespace motet {

struct AttributesFile {
  Attributes attributes;           // by user of the access data; words in order of first appearance
  std::size_t users_left_out = 0;  // users of the access data that the table does not have
  std::size_t strangers = 0;       // users of the table that the access data do not have: left out
};

// `users` are those of the access data. Every rule broken is Error{bad_data} with file
// and line; a table of which no user is among them too.
AttributesFile read_attributes(const std::string& path, char delimiter, const KnownNames& users, const RunContext& run);

}  // namespace motet
