#include "motet/roles/cover/part.h"

#include <gtest/gtest.h>

#include "roles/cover_cases.h"

namespace motet::roles::part_test {
namespace {

TEST(CoverPart, HasItsRowsAndColumnsOnly) {
  const AccessCells cells = access_cells(bits_of({"110", "011", "001"}));
  const std::vector<std::uint32_t> among = {1, 2};  // (0, 1) and (1, 1)
  const CoverPart part = cover_part(cells, among);
  EXPECT_EQ(part.count(), 2U);
  EXPECT_EQ(part.held, bits_of({"1", "1"}));
  EXPECT_EQ(part.holders, bits_of({"11"}));
  EXPECT_TRUE(part.are_compatible(0, 1));
}

TEST(CoverPart, CellsAreCompatibleWhenOneRectangleHoldsBoth) {
  const CoverPart part = whole(bits_of({"10", "11"}));
  EXPECT_TRUE(part.are_compatible(0, 1));   // (0, 0) and (1, 0)
  EXPECT_FALSE(part.are_compatible(0, 2));  // (0, 0) and (1, 1): (0, 1) is not held
  EXPECT_TRUE(part.are_compatible(1, 2));
}

// The definition: the parts are joined by compatible cells, and by nothing else.
TEST(CoverPart, IndependentPartsAreTheComponents) {
  for (std::uint64_t number = 1; number <= 200; ++number) {
    const AccessCells cells = access_cells(small_matrix(number));
    Rng rng(Seed{number});
    std::vector<std::uint32_t> among;
    for (std::uint32_t cell = 0; cell < cells.count(); ++cell) {
      if (rng.uniform() < 0.4) among.push_back(cell);
    }
    const CoverPart part = cover_part(cells, among);
    std::vector<std::uint32_t> component(among.size());
    std::iota(component.begin(), component.end(), 0U);
    for (std::size_t again = 0; again < among.size(); ++again) {
      for (std::uint32_t a = 0; a < among.size(); ++a) {
        for (std::uint32_t b = 0; b < among.size(); ++b) {
          if (part.are_compatible(a, b)) component[a] = component[b] = std::min(component[a], component[b]);
        }
      }
    }
    std::vector<std::vector<std::uint32_t>> expected;
    for (std::uint32_t first = 0; first < among.size(); ++first) {
      if (component[first] != first) continue;
      expected.emplace_back();
      for (std::uint32_t a = 0; a < among.size(); ++a) {
        if (component[a] == first) expected.back().push_back(among[a]);
      }
    }
    EXPECT_EQ(independent_parts(cells, among), expected) << number;
  }
}

}  // namespace
}  // namespace motet::roles::part_test
