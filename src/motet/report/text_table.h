// A table as aligned text for a terminal.
//
//   judge    votes  accuracy
//   ada        120    0.9312
//   Grażyna     98    0.8800
//   ... 132 more rows (all are in --json)
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "motet/data/table.h"

namespace motet {

struct TextTableOptions {
  std::size_t max_rows = 40;   // further rows are only counted
  std::size_t max_width = 40;  // of one cell, in code points; a longer text ends in an ellipsis
};

// Control characters as spaces: a name can neither break a line nor command a terminal.
std::string one_line(std::string text);

// That, with an ellipsis for what goes beyond `max_width` code points.
std::string shortened(std::string text, std::size_t max_width);

// "warning: ...", one per line.
std::string warning_lines(const std::vector<std::string>& warnings);

// Columns of numbers are aligned to the right, others to the left; two spaces
// between columns and none at the end of a line. A cell is one_line.
std::string to_text(const Table& table, const TextTableOptions& options = {});

}  // namespace motet
