// Names of roles as people type them: "a,b" is a and b, unless there is a role "a,b", for names may hold commas.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "motet/data/names.h"

namespace motet::roles {

// Numbers of the roles in the order typed, each once; the fewest names that make up the whole text. Spaces after a
// comma do not matter. Throws Error{usage} "--remove: 'x' is no role of keep.csv; it has 'a', 'b'".
std::vector<std::uint32_t> roles_in(std::string_view text, const NameTable& roles, std::string_view flag,
                                    std::string_view source);

}  // namespace motet::roles
