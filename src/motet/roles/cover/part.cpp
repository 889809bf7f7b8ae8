#include "motet/roles/cover/part.h"

#include <algorithm>
#include <numeric>

namespace motet::roles {
namespace {

constexpr std::uint32_t not_seen = 0xFFFFFFFFU;

// Numbers that stand for those joined with them: the lowest.
class Joined {
 public:
  explicit Joined(std::size_t count) : parent_(count) { std::iota(parent_.begin(), parent_.end(), 0U); }
  std::uint32_t root(std::uint32_t i) {
    while (parent_[i] != i) i = parent_[i] = parent_[parent_[i]];
    return i;
  }
  void join(std::uint32_t i, std::uint32_t j) {
    const std::uint32_t a = root(i);
    const std::uint32_t b = root(j);
    parent_[std::max(a, b)] = std::min(a, b);
    if (a != b) ++joints_;
  }
  std::size_t joints() const { return joints_; }  // how many times two became one

 private:
  std::size_t joints_ = 0;
  std::vector<std::uint32_t> parent_;
};

// The numbers that occur, in the order of their first appearance, and each as a place among them.
std::vector<std::uint32_t> renumber(std::vector<std::uint32_t>& numbers, std::size_t count) {
  std::vector<std::uint32_t> place(count, not_seen);
  std::vector<std::uint32_t> seen;
  for (std::uint32_t& number : numbers) {
    if (place[number] == not_seen) {
      place[number] = static_cast<std::uint32_t>(seen.size());
      seen.push_back(number);
    }
    number = place[number];
  }
  return seen;
}

}  // namespace

CoverPart cover_part(const AccessCells& cells, std::span<const std::uint32_t> among) {
  CoverPart part;
  part.cell.assign(among.begin(), among.end());
  for (const std::uint32_t cell : among) {
    part.row.push_back(cells.row[cell]);
    part.column.push_back(cells.column[cell]);
  }
  const std::vector<std::uint32_t> rows = renumber(part.row, cells.held.rows());
  const std::vector<std::uint32_t> columns = renumber(part.column, cells.held.columns());
  part.held = cells.held.rows_of(rows).columns_of(columns);
  part.holders = part.held.transposed();
  return part;
}

std::vector<std::vector<std::uint32_t>> independent_parts(const AccessCells& cells,
                                                          std::span<const std::uint32_t> among) {
  // Cells of one row or one column are compatible, so rows and columns are what is joined.
  const std::size_t rows = cells.held.rows();
  Joined joined(rows + cells.held.columns());
  const auto of_column = [&](std::uint32_t d) { return static_cast<std::uint32_t>(rows + d); };
  std::vector<std::vector<std::uint32_t>> columns_in(rows);
  for (const std::uint32_t cell : among) {
    joined.join(cells.row[cell], of_column(cells.column[cell]));
    columns_in[cells.row[cell]].push_back(cells.column[cell]);
  }
  BitMatrix used(1, rows + cells.held.columns());
  for (const std::uint32_t cell : among) {
    used.set(0, cells.row[cell]);
    used.set(0, of_column(cells.column[cell]));
  }
  const std::size_t lines = used.count();
  for (const std::uint32_t cell : among) {
    if (joined.joints() + 1 == lines) break;  // all are one part already
    const std::uint32_t n = cells.row[cell];
    for (const std::uint32_t other : cells.cells_of(cells.column[cell])) {
      const std::uint32_t m = cells.row[other];
      if (columns_in[m].empty() || joined.root(m) == joined.root(n)) continue;
      const bool meet =
          std::any_of(columns_in[m].begin(), columns_in[m].end(), [&](std::uint32_t c) { return cells.held(n, c); });
      if (meet) joined.join(m, n);
    }
  }
  std::vector<std::vector<std::uint32_t>> parts;
  std::vector<std::uint32_t> part_of(rows + cells.held.columns(), not_seen);
  for (const std::uint32_t cell : among) {
    const std::uint32_t root = joined.root(cells.row[cell]);
    if (part_of[root] == not_seen) {
      part_of[root] = static_cast<std::uint32_t>(parts.size());
      parts.emplace_back();
    }
    parts[part_of[root]].push_back(cell);
  }
  return parts;
}

}  // namespace motet::roles
