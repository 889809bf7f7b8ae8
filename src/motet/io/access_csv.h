// Who may do what, from CSV tables and what else lists it.
//
// Pairs: one holding a line, columns user and permission (or what other programs call
// them, access_columns.h) in any order. A user who holds nothing has a line with an
// empty permission. Without a header the first column is the user and the second the
// permission: that is noticed when no heading is known and a name of the first line
// comes again below it. Matrix: the first column is the user, every other column a
// permission, 1 = held, 0 = not. Spaced: access_spaced.h; ldif: access_ldif.h.
#pragma once

#include <cstddef>
#include <string>

#include "motet/base/run.h"
#include "motet/data/access.h"

namespace motet {

enum class AccessLayout { pairs, matrix, spaced, ldif };
enum class OtherColumns { refuse, ignore };  // columns of pairs beside user and permission

struct AccessFormat {
  AccessLayout layout = AccessLayout::pairs;
  char delimiter = ',';
  OtherColumns other_columns = OtherColumns::refuse;  // naming a column below ignores the others too
  std::string user_column = {};        // its heading, or the attribute of an LDIF entry; empty: known headings
  std::string permission_column = {};  // the same
  std::string separator = {};          // between several permissions in one field; empty: there is one
  bool no_header = false;              // the first line is data
  // For users a model is applied to: an empty field or `?` in a matrix is a cell that
  // nobody knows, and there need be no permission at all.
  bool allow_unknown = false;
};

struct AccessFile {
  Access access;                    // users and permissions in order of first appearance
  BitMatrix known;                  // users x permissions, 1 = known; no rows when all cells are
  std::size_t repeated_pairs = 0;   // lines that say what an earlier line said
  bool first_line_is_data = false;  // though nobody said so
};

// Every rule broken is Error{bad_data} with file and line; a table of more than 8 GB is
// Error{machine_limit}.
AccessFile read_access(const std::string& path, const AccessFormat& format, const RunContext& run);

}  // namespace motet
