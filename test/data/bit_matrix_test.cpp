#include "motet/data/bit_matrix.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "motet/base/rng.h"

namespace motet::bit_matrix_test {
namespace {

using Rows = std::vector<std::vector<bool>>;

BitMatrix matrix_of(const Rows& rows, std::size_t columns) {
  BitMatrix bits(rows.size(), columns);
  for (std::size_t n = 0; n < rows.size(); ++n) {
    for (std::size_t d = 0; d < columns; ++d) bits.set(n, d, rows[n][d]);
  }
  return bits;
}

Rows random_rows(std::size_t rows, std::size_t columns, std::uint64_t seed) {
  Rng rng(Seed{seed});
  Rows result(rows, std::vector<bool>(columns));
  for (auto& row : result) {
    for (std::size_t d = 0; d < columns; ++d) row[d] = rng.below(3) == 0;
  }
  return result;
}

TEST(BitMatrix, WithoutRowsOrColumns) {
  EXPECT_EQ(BitMatrix().rows(), 0U);
  EXPECT_EQ(BitMatrix().count(), 0U);
  const BitMatrix tall(3, 0);
  EXPECT_EQ(tall.words(), 0U);
  EXPECT_EQ(tall.count(2), 0U);
  EXPECT_EQ(tall.transposed(), BitMatrix(0, 3));
  EXPECT_EQ(BitMatrix(0, 3).transposed(), tall);
  EXPECT_NE(BitMatrix(0, 3), BitMatrix(0, 4));
}

TEST(BitMatrix, SetsAndClearsOneCellOnly) {
  BitMatrix bits(2, 130);
  for (const std::size_t d : {0, 63, 64, 127, 128, 129}) {
    bits.set(1, d);
    EXPECT_TRUE(bits(1, d));
    EXPECT_FALSE(bits(0, d));
    EXPECT_EQ(bits.count(), 1U) << d;
    bits.set(1, d);  // again
    bits.set(0, d, false);
    EXPECT_EQ(bits.count(1), 1U) << d;
    bits.set(1, d, false);
    EXPECT_EQ(bits, BitMatrix(2, 130)) << d;
  }
}

// Sizes around whole words: what lies beyond the last column stays zero.
TEST(BitMatrix, SizesAroundAWord) {
  for (const std::size_t columns : {1, 2, 62, 63, 64, 65, 127, 128, 129}) {
    BitMatrix bits(2, columns);
    EXPECT_EQ(bits.words(), (columns + 63) / 64);
    for (std::size_t d = 0; d < columns; ++d) bits.set(0, d);
    EXPECT_EQ(bits.count(0), columns);
    EXPECT_EQ(bits.count(1), 0U);
    const std::uint64_t last = columns % 64 == 0 ? ~std::uint64_t{0} : (std::uint64_t{1} << (columns % 64)) - 1;
    EXPECT_EQ(bits.row(0).back(), last) << columns;
    std::vector<std::size_t> seen;
    for_each_bit(bits.row(0), [&](std::size_t d) { seen.push_back(d); });
    ASSERT_EQ(seen.size(), columns);
    for (std::size_t d = 0; d < columns; ++d) EXPECT_EQ(seen[d], d);
    EXPECT_EQ(bits.transposed().transposed(), bits);
  }
}

TEST(BitMatrix, PartsKeepTheOrderGiven) {
  const Rows rows = random_rows(5, 70, 1);
  const BitMatrix bits = matrix_of(rows, 70);
  const std::vector<std::uint32_t> some_rows = {4, 0, 4};
  const BitMatrix of_rows = bits.rows_of(some_rows);
  EXPECT_EQ(of_rows, matrix_of({rows[4], rows[0], rows[4]}, 70));
  const std::vector<std::uint32_t> some_columns = {69, 64, 0, 63, 69};
  const BitMatrix of_columns = bits.columns_of(some_columns);
  for (std::size_t n = 0; n < 5; ++n) {
    for (std::size_t i = 0; i < some_columns.size(); ++i) {
      EXPECT_EQ(of_columns(n, i), static_cast<bool>(rows[n][some_columns[i]]));
    }
  }
  EXPECT_EQ(bits.rows_of({}), BitMatrix(0, 70));
  EXPECT_EQ(bits.columns_of({}), BitMatrix(5, 0));
}

RC_GTEST_PROP(BitMatrix, TransposeAndCountEqualTheSimpleOnes, (std::uint64_t seed)) {
  const std::size_t row_count = *rc::gen::inRange<std::size_t>(0, 140);
  const std::size_t columns = *rc::gen::inRange<std::size_t>(0, 140);
  const Rows rows = random_rows(row_count, columns, seed);
  const BitMatrix bits = matrix_of(rows, columns);
  const BitMatrix turned = bits.transposed();
  std::size_t ones = 0;
  for (std::size_t n = 0; n < row_count; ++n) {
    for (std::size_t d = 0; d < columns; ++d) {
      RC_ASSERT(bits(n, d) == rows[n][d]);
      RC_ASSERT(turned(d, n) == rows[n][d]);
      ones += rows[n][d] ? 1 : 0;
    }
  }
  RC_ASSERT(bits.count() == ones);
  RC_ASSERT(turned.count() == ones);
}

RC_GTEST_PROP(BooleanProduct, IsAnOrOfAnds, (std::uint64_t seed)) {
  const std::size_t users = *rc::gen::inRange<std::size_t>(0, 20);
  const std::size_t role_count = *rc::gen::inRange<std::size_t>(0, 70);
  const std::size_t permissions = *rc::gen::inRange<std::size_t>(0, 140);
  const Rows assignments = random_rows(users, role_count, seed);
  const Rows roles = random_rows(role_count, permissions, seed + 1);
  const BitMatrix product = boolean_product(matrix_of(assignments, role_count), matrix_of(roles, permissions));
  RC_ASSERT(product.rows() == users);
  RC_ASSERT(product.columns() == permissions);
  for (std::size_t n = 0; n < users; ++n) {
    for (std::size_t d = 0; d < permissions; ++d) {
      bool expected = false;
      for (std::size_t k = 0; k < role_count; ++k) expected = expected || (assignments[n][k] && roles[k][d]);
      RC_ASSERT(product(n, d) == expected);
    }
  }
}

}  // namespace
}  // namespace motet::bit_matrix_test
