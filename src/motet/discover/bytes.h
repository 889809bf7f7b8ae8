// The state of a search as bytes and back, exactly.
#pragma once

#include <string>
#include <string_view>

#include "motet/discover/discovery.h"

namespace motet::discover {

std::string to_bytes(const Discovery& discovery);

// Bytes of another version, broken ones or those of more than `most_rows` rows throw Error{bad_data}: a few bytes can
// stand for any number of equal rows.
Discovery discovery_from_bytes(std::string_view bytes, std::size_t most_rows = std::size_t{1} << 32);

}  // namespace motet::discover
