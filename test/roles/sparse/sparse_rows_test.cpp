#include "motet/roles/sparse/sparse_rows.h"

#include <gtest/gtest.h>

#include "data/bits.h"
#include "roles/planted_cases.h"

namespace motet::roles::sparse_rows_test {
namespace {

TEST(SparseRows, SayWhatTheBitsSay) {
  const BitMatrix bits = bits_of({"10100", "00000", "01101"});
  const SparseRows rows = sparse_rows(bits);
  EXPECT_EQ(rows.rows(), 3U);
  EXPECT_EQ(rows.columns, 5U);
  EXPECT_EQ(std::vector(rows[0].begin(), rows[0].end()), (std::vector<std::uint32_t>{0, 2}));
  EXPECT_TRUE(rows[1].empty());
  EXPECT_EQ(std::vector(rows[2].begin(), rows[2].end()), (std::vector<std::uint32_t>{1, 2, 4}));
  const std::vector<std::uint32_t> chosen{2, 0};
  EXPECT_EQ(sparse_rows(bits, chosen), sparse_rows(bits.rows_of(chosen)));
}

TEST(SparseRows, TransposeAndComeBack) {
  Rng rng(Seed{1});
  for (int i = 0; i < 20; ++i) {
    const BitMatrix bits = random_bits(1 + rng.below(90), 1 + rng.below(90), 0.2, rng.child(static_cast<unsigned>(i)));
    EXPECT_EQ(dense_rows(sparse_rows(bits)), bits);
    EXPECT_EQ(transposed(sparse_rows(bits)), sparse_rows(bits.transposed()));
  }
}

TEST(SparseRows, CommonPlacesAreCounted) {
  const std::vector<std::uint32_t> a{1, 4, 7, 9};
  const std::vector<std::uint32_t> b{0, 4, 8, 9, 12};
  EXPECT_EQ(common_places(a, b), 2U);
  EXPECT_EQ(common_places(b, a), 2U);
  EXPECT_EQ(common_places(a, {}), 0U);
  EXPECT_EQ(common_places(a, a), 4U);
}

TEST(SparseRows, EqualRowsCountOnce) {
  EXPECT_EQ(count_distinct_rows(sparse_rows(bits_of({"101", "000", "101", "001", "000"}))), 3U);
}

}  // namespace
}  // namespace motet::roles::sparse_rows_test
