// Which column of a list of holdings is the user and which the permission.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "motet/io/table_reader.h"

namespace motet {

// Headings as other programs write them, in lower case and without spaces, `_`, `-` and `.`; the first that is there
// counts.
const std::vector<std::string_view>& user_headings();
const std::vector<std::string_view>& permission_headings();

struct PairColumns {
  FoundColumn user;
  FoundColumn permission;

  bool are_there() const { return user.is_there() && permission.is_there(); }
};

// By the names given, where they are not empty, else by the headings above; capitals do not matter.
PairColumns find_pair_columns(const std::vector<std::string>& header, std::string_view user_name = "",
                              std::string_view permission_name = "");

}  // namespace motet
