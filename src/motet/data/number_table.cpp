#include "motet/data/number_table.h"

namespace motet {

std::string item_name(const NumberTable& numbers, std::size_t n) {
  return numbers.items.empty() ? std::to_string(n + 1) : numbers.items[n];
}

NumberTable rows_of(const NumberTable& numbers, std::span<const std::uint32_t> rows) {
  NumberTable part;
  part.columns = numbers.columns;
  part.rows_without_columns = numbers.columns.empty() ? rows.size() : 0;
  part.values.reserve(rows.size() * numbers.dimensions());
  for (const std::uint32_t row : rows) {
    const std::span<const double> values = numbers.row(row);
    part.values.insert(part.values.end(), values.begin(), values.end());
    part.items.push_back(item_name(numbers, row));
  }
  return part;
}

}  // namespace motet
