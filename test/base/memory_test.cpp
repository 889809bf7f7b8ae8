#include "motet/base/memory.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <utility>

namespace motet::memory_test {
namespace {

TEST(ZeroedArray, IsZeroAndMoves) {
  constexpr std::size_t size = 3'000'000;  // large enough for huge pages
  ZeroedArray<std::uint64_t> values(size);
  for (std::size_t i = 0; i < size; i += 1000) EXPECT_EQ(values[i], 0U);
  values[size - 1] = 7;
  const ZeroedArray<std::uint64_t> moved = std::move(values);
  EXPECT_EQ(moved[size - 1], 7U);
}

TEST(ReserveInHugePages, KeepsTheVectorEmpty) {
  std::vector<std::uint32_t> values;
  reserve_in_huge_pages(values, 3'000'000);
  EXPECT_TRUE(values.empty());
  EXPECT_GE(values.capacity(), 3'000'000U);
}

}  // namespace
}  // namespace motet::memory_test
