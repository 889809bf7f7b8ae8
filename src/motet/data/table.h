// A table for people: a header and rows of cells that are text or numbers.
#pragma once

#include <cstdint>
#include <string>
#include <variant>
#include <vector>

namespace motet {

struct Column {
  std::string name;
  int digits = 4;  // after the point, for numbers
};

using Cell = std::variant<std::string, double, std::int64_t>;  // NaN is shown as an empty cell

struct Table {
  std::vector<Column> columns;
  std::vector<std::vector<Cell>> rows;
};

}  // namespace motet
