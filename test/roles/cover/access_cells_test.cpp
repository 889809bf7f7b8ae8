#include "motet/roles/cover/access_cells.h"

#include <gtest/gtest.h>

#include "data/bits.h"

namespace motet::roles::access_cells_test {
namespace {

TEST(AccessCells, AreNumberedRowByRow) {
  const BitMatrix held = bits_of({"101", "000", "011"});
  const AccessCells cells = access_cells(held);
  EXPECT_EQ(cells.count(), 4U);
  EXPECT_EQ(cells.row, (std::vector<std::uint32_t>{0, 0, 2, 2}));
  EXPECT_EQ(cells.column, (std::vector<std::uint32_t>{0, 2, 1, 2}));
  EXPECT_EQ(cells.held, held);
  EXPECT_EQ(cells.holders, held.transposed());
}

TEST(AccessCells, AreListedByRowAndByColumn) {
  const AccessCells cells = access_cells(bits_of({"101", "000", "011"}));
  const auto list = [](std::span<const std::uint32_t> numbers) { return std::vector(numbers.begin(), numbers.end()); };
  EXPECT_EQ(list(cells.columns_of(0)), (std::vector<std::uint32_t>{0, 2}));
  EXPECT_TRUE(cells.columns_of(1).empty());
  EXPECT_EQ(list(cells.cells_of(2)), (std::vector<std::uint32_t>{1, 3}));
}

TEST(AccessCells, AreFoundByRowAndColumn) {
  const AccessCells cells = access_cells(bits_of({"101", "000", "011"}));
  for (std::uint32_t cell = 0; cell < cells.count(); ++cell) {
    EXPECT_EQ(cells.at(cells.row[cell], cells.column[cell]), cell);
  }
}

TEST(AccessCells, OfNothing) { EXPECT_EQ(access_cells(BitMatrix(3, 2)).count(), 0U); }

}  // namespace
}  // namespace motet::roles::access_cells_test
