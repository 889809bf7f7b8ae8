// Who may do what, from CSV tables.
//
// Pairs: one holding a line, columns user and permission (or account, identity,
// employee; entitlement, right, group; capitals do not matter) in any order. A user who
// holds nothing has a line with an empty permission. Matrix: the first column is the
// user, every other column a permission, 1 = held, 0 = not.
#pragma once

#include <cstddef>
#include <string>

#include "motet/base/run.h"
#include "motet/data/access.h"

namespace motet {

enum class AccessLayout { pairs, matrix };
enum class OtherColumns { refuse, ignore };  // columns of pairs beside user and permission

struct AccessFormat {
  AccessLayout layout = AccessLayout::pairs;
  char delimiter = ',';
  OtherColumns other_columns = OtherColumns::refuse;
  // For users a model is applied to: an empty field or `?` in a matrix is a cell that
  // nobody knows, and there need be no permission at all.
  bool allow_unknown = false;
};

struct AccessFile {
  Access access;                   // users and permissions in order of first appearance
  BitMatrix known;                 // users x permissions, 1 = known; no rows when all cells are
  std::size_t repeated_pairs = 0;  // lines that say what an earlier line said
};

// Every rule broken is Error{bad_data} with file and line; a table of more than 8 GB is
// Error{machine_limit}.
AccessFile read_access(const std::string& path, const AccessFormat& format, const RunContext& run);

}  // namespace motet
