// Some cells of a matrix that are to be covered by as few roles as possible, on their own: the rows and columns that
// have one of them, numbered anew, and who of these rows holds which of these columns.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "motet/roles/cover/access_cells.h"

namespace motet::roles {

struct CoverPart {
  BitMatrix held;                   // rows x columns of the part; also cells that need not be covered
  BitMatrix holders;                // the same, columns x rows
  std::vector<std::uint32_t> cell;  // by cell of the part, rising: its number in AccessCells
  std::vector<std::uint32_t> row;   // by cell of the part: numbers in `held`
  std::vector<std::uint32_t> column;

  std::size_t count() const { return cell.size(); }
  // Whether one role may grant both.
  bool are_compatible(std::uint32_t a, std::uint32_t b) const {
    return held(row[a], column[b]) && held(row[b], column[a]);
  }
};

// `among` rises.
CoverPart cover_part(const AccessCells& cells, std::span<const std::uint32_t> among);

// The cells split into parts no two of which have compatible cells: each is a question of its own, and the least
// numbers of roles add up. In the order of their first cells.
std::vector<std::vector<std::uint32_t>> independent_parts(const AccessCells& cells,
                                                          std::span<const std::uint32_t> among);

}  // namespace motet::roles
