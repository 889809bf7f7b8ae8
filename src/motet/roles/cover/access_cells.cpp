#include "motet/roles/cover/access_cells.h"

#include <algorithm>
#include <utility>

namespace motet::roles {

std::uint32_t AccessCells::at(std::size_t n, std::size_t d) const {
  const std::span<const std::uint32_t> columns = columns_of(n);
  const auto place = std::lower_bound(columns.begin(), columns.end(), d) - columns.begin();
  return static_cast<std::uint32_t>(row_begin[n] + static_cast<std::size_t>(place));
}

AccessCells access_cells(BitMatrix held) {
  AccessCells cells;
  const std::size_t count = held.count();
  cells.row.reserve(count);
  cells.column.reserve(count);
  cells.row_begin.reserve(held.rows() + 1);
  cells.column_begin.assign(held.columns() + 1, 0);
  cells.column_cells.resize(count);
  for (std::size_t n = 0; n < held.rows(); ++n) {
    cells.row_begin.push_back(cells.row.size());
    for_each_bit(held.row(n), [&](std::size_t d) {
      cells.row.push_back(static_cast<std::uint32_t>(n));
      cells.column.push_back(static_cast<std::uint32_t>(d));
      ++cells.column_begin[d + 1];
    });
  }
  cells.row_begin.push_back(cells.row.size());
  for (std::size_t d = 0; d < held.columns(); ++d) cells.column_begin[d + 1] += cells.column_begin[d];
  std::vector<std::size_t> next(cells.column_begin.begin(), cells.column_begin.end() - 1);
  for (std::uint32_t cell = 0; cell < count; ++cell) cells.column_cells[next[cells.column[cell]]++] = cell;
  cells.holders = held.transposed();
  cells.held = std::move(held);
  return cells;
}

}  // namespace motet::roles
