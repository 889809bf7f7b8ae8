// Pairs with blanks between them, one holding per line, as research sets have them.
#pragma once

#include <string>

#include "motet/io/access_csv.h"
#include "motet/io/access_pairs.h"

namespace motet {

// Two words on each line, the user and the permission. The first line may be a header: it is one where it holds a known
// heading of each (access_columns.h), and then says which is which. Throws Error{bad_data} "FILE:LINE: 3 words; ...".
AccessPairs read_spaced_pairs(const std::string& path, const AccessFormat& format, const RunContext& run);

}  // namespace motet
