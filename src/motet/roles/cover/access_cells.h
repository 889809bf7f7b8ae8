// The ones of a Boolean matrix as numbered cells, in both orders, with a quick answer to whether a cell is held.
//
// Two cells (n, d) and (m, c) are *compatible* when one role may grant both: n holds c and m holds d. Cells that are
// pairwise compatible lie in one rectangle of ones, so that they are what one role can cover; a cover by as few roles
// as possible is a partition of the cells into as few cliques of compatible cells as possible.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "motet/data/bit_matrix.h"

namespace motet::roles {

struct AccessCells {
  BitMatrix held;
  BitMatrix holders;                        // the same, columns x rows
  std::vector<std::uint32_t> row;           // by cell; cells are numbered row by row, columns rising
  std::vector<std::uint32_t> column;        // by cell
  std::vector<std::size_t> row_begin;       // by row and one more: its first cell
  std::vector<std::size_t> column_begin;    // the same into column_cells
  std::vector<std::uint32_t> column_cells;  // cells of each column, rows rising

  std::size_t count() const { return row.size(); }
  std::span<const std::uint32_t> columns_of(std::size_t n) const {
    return {column.data() + row_begin[n], row_begin[n + 1] - row_begin[n]};
  }
  // The number of a cell that is held.
  std::uint32_t at(std::size_t n, std::size_t d) const;
  std::span<const std::uint32_t> cells_of(std::size_t d) const {
    return {column_cells.data() + column_begin[d], column_begin[d + 1] - column_begin[d]};
  }
};

AccessCells access_cells(BitMatrix held);

}  // namespace motet::roles
