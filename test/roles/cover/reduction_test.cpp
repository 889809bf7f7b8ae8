#include "motet/roles/cover/reduction.h"

#include <gtest/gtest.h>

#include "roles/cover_cases.h"
#include "support/cancelled.h"
#include "support/expect_error.h"

namespace motet::roles::reduction_test {
namespace {

// Fewest groups of compatible cells among some: by trying everything.
std::size_t fewest_groups(const CoverPart& part, std::vector<std::uint32_t>& group, std::size_t cell, std::size_t open,
                          std::size_t best) {
  if (open >= best) return best;
  if (cell == part.count()) return open;
  for (std::uint32_t g = 0; g <= open; ++g) {
    bool fits = true;
    for (std::uint32_t other = 0; other < cell; ++other) {
      fits = fits && (group[other] != g || part.are_compatible(other, static_cast<std::uint32_t>(cell)));
    }
    if (!fits) continue;
    group[cell] = g;
    best = fewest_groups(part, group, cell + 1, std::max<std::size_t>(open, g + 1), best);
  }
  return best;
}

TEST(Reduction, KeepsTheLeastNumberOfRoles) {
  for (std::uint64_t number = 1; number <= 400; ++number) {
    const BitMatrix held = small_matrix(number);
    const AccessCells cells = access_cells(held);
    const Reduction reduction = reduce(cells, {});
    const CoverPart part = cover_part(cells, reduction.remaining);
    if (part.count() > 12) continue;
    std::vector<std::uint32_t> group(part.count());
    EXPECT_EQ(fewest_groups(part, group, 0, 0, part.count() + 1), FewestRectangles(held).count()) << number;
  }
}

TEST(Reduction, NoStarThatIsLeftLiesInAnother) {
  for (std::uint64_t number = 1; number <= 200; ++number) {
    const AccessCells cells = access_cells(small_matrix(number));
    const Reduction reduction = reduce(cells, {});
    EXPECT_EQ(reduction.order.size() + reduction.remaining.size(), cells.count());
    const CoverPart part = cover_part(cells, reduction.remaining);
    for (std::uint32_t e = 0; e < part.count(); ++e) {
      for (std::uint32_t f = 0; f < part.count(); ++f) {
        bool lies_in = e != f;
        for (std::uint32_t g = 0; g < part.count(); ++g) {
          lies_in = lies_in && (!part.are_compatible(f, g) || part.are_compatible(e, g));
        }
        EXPECT_FALSE(lies_in) << number;
      }
    }
  }
}

TEST(Reduction, EqualRowsAndUnionsLeaveOneCellForEachRole) {
  // Rows 2 and 4 are unions of rows 0 and 1.
  const AccessCells cells = access_cells(bits_of({"1100", "0011", "1111", "1100", "1111"}));
  EXPECT_EQ(reduce(cells, {}).remaining.size(), 2U);
}

TEST(Reduction, OfAHardMatrixDropsNothing) {
  const AccessCells cells = access_cells(crown(6));
  EXPECT_EQ(reduce(cells, {}).remaining.size(), 30U);
}

TEST(Reduction, CanBeCancelled) {
  expect_error(ErrorKind::interrupted, "interrupted while reducing the cells to be covered",
               [] { reduce(access_cells(crown(6)), cancelled_run()); });
}

}  // namespace
}  // namespace motet::roles::reduction_test
