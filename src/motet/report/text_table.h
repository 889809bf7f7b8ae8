// A table as aligned text for a terminal.
//
//   judge    votes  accuracy
//   ada        120    0.9312
//   Grażyna     98    0.8800
//   ... 132 more rows (all are in --json)
#pragma once

#include <cstddef>
#include <string>

#include "motet/data/table.h"

namespace motet {

struct TextTableOptions {
  std::size_t max_rows = 40;   // further rows are only counted
  std::size_t max_width = 40;  // of one cell, in code points; a longer text ends in an ellipsis
};

// Columns of numbers are aligned to the right, others to the left; two spaces
// between columns and none at the end of a line. Control characters in a text
// become spaces, so that a name can neither break the table nor command a terminal.
std::string to_text(const Table& table, const TextTableOptions& options = {});

}  // namespace motet
