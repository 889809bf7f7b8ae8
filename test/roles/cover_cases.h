// What the tests of covers share: the least number of roles by trying everything, and larger matrices with a search.
#pragma once

#include <algorithm>
#include <bit>
#include <set>
#include <vector>

#include "motet/roles/cover/least_cover.h"
#include "motet/roles/cover/part.h"
#include "roles/planted_cases.h"

namespace motet::roles {

// Fewest rectangles of ones that together are all ones; for at most 64 of them and a dozen rows.
class FewestRectangles {
 public:
  explicit FewestRectangles(const BitMatrix& held) {
    const AccessCells cells = access_cells(held);
    for (std::uint32_t rows = 1; rows < (1U << held.rows()); ++rows) {
      std::uint64_t covered = 0;
      for (std::uint32_t cell = 0; cell < cells.count(); ++cell) {
        bool common = true;
        for (std::uint32_t n = 0; n < held.rows(); ++n) {
          common = common && ((rows >> n & 1U) == 0 || held(n, cells.column[cell]));
        }
        if (common && (rows >> cells.row[cell] & 1U) != 0) covered |= std::uint64_t{1} << cell;
      }
      if (covered != 0) rectangles_.insert(covered);
    }
    all_ = cells.count() == 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << cells.count()) - 1;
  }

  std::size_t count() const {
    std::size_t most = 0;
    while (!can_cover(all_, most)) ++most;
    return most;
  }

 private:
  bool can_cover(std::uint64_t left, std::size_t most) const {
    if (left == 0) return true;
    if (most == 0) return false;
    const std::uint64_t first = left & -left;
    return std::any_of(rectangles_.begin(), rectangles_.end(), [&](std::uint64_t rectangle) {
      return (rectangle & first) != 0 && can_cover(left & ~rectangle, most - 1);
    });
  }

  std::set<std::uint64_t> rectangles_;
  std::uint64_t all_ = 0;
};

// A small matrix whose shape and density are by lot.
inline BitMatrix small_matrix(std::uint64_t number) {
  Rng rng = Rng(Seed{number}).child(0);
  const std::size_t rows = 2 + rng.below(6);
  const std::size_t columns = 2 + rng.below(6);
  return random_bits(rows, columns, rng.uniform(0.3, 0.9), rng.child(1));
}

// 0 wherever row and column are the same, else 1: hard for its size, since no two cells have equal stars.
inline BitMatrix crown(std::size_t size) {
  BitMatrix bits(size, size);
  for (std::size_t n = 0; n < size; ++n) {
    for (std::size_t d = 0; d < size; ++d) bits.set(n, d, n != d);
  }
  return bits;
}

inline std::vector<std::uint32_t> all_cells(const AccessCells& cells) {
  std::vector<std::uint32_t> all(cells.count());
  std::iota(all.begin(), all.end(), 0U);
  return all;
}

inline CoverPart whole(const BitMatrix& held) {
  const AccessCells cells = access_cells(held);
  return cover_part(cells, all_cells(cells));
}

// Whether the cells of each group are pairwise compatible.
inline bool are_cliques(const CoverPart& part, const std::vector<std::uint32_t>& group) {
  for (std::uint32_t a = 0; a < part.count(); ++a) {
    for (std::uint32_t b = 0; b < a; ++b) {
      if (group[a] == group[b] && !part.are_compatible(a, b)) return false;
    }
  }
  return true;
}

}  // namespace motet::roles
