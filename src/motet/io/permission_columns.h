// What else is known of permissions: their risk, and columns that come along, such as owner and sign-off.
#pragma once

#include <string>
#include <vector>

#include "motet/io/known_names.h"

namespace motet {

struct PermissionColumns {
  std::vector<std::string> names;                // of the columns beside the permission, also `risk`
  std::vector<std::vector<std::string>> values;  // by permission and column; empty where the file says nothing
  std::vector<double> risk;                      // by permission, 1 where none is given; no entry without such a column
  std::size_t strangers = 0;                     // permissions of the file that are not known: left out
};

// A table with a column `permission` (or another heading that is known for it); a column `risk` holds numbers from 0 to
// a million. Every rule broken is Error{bad_data} with file and line.
PermissionColumns read_permission_columns(const std::string& path, char delimiter, const KnownNames& permissions);

}  // namespace motet
