#include "motet/roles/merge.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <numeric>
#include <set>

#include "motet/base/rng.h"

namespace motet::roles::merge_test {
namespace {

using Numbers = std::vector<std::uint32_t>;
using Weights = std::vector<double>;

BitMatrix bits_of(const std::vector<std::string>& rows) {
  BitMatrix bits(rows.size(), rows.front().size());
  for (std::size_t n = 0; n < rows.size(); ++n) {
    for (std::size_t d = 0; d < rows[n].size(); ++d) bits.set(n, d, rows[n][d] == '1');
  }
  return bits;
}

TEST(MergeEqual, KeepsRowsAndColumnsOnce) {
  const MergedMatrix merged = merge_equal(bits_of({"0110", "1001", "0110", "0000"}));
  EXPECT_EQ(merged.bits, bits_of({"01", "10", "00"}));
  EXPECT_EQ(merged.row_of, (Numbers{0, 1, 0, 2}));
  EXPECT_EQ(merged.column_of, (Numbers{0, 1, 1, 0}));
  EXPECT_EQ(merged.row_weight, (Weights{2, 1, 1}));
  EXPECT_EQ(merged.column_weight, (Weights{2, 2}));
}

TEST(MergeEqual, OnlyWhatTheRuleAllows) {
  const BitMatrix bits = bits_of({"0110", "1001", "0110"});
  const MergedMatrix rows = merge_equal(bits, {.rows = true, .columns = false});
  EXPECT_EQ(rows.bits, bits_of({"0110", "1001"}));
  EXPECT_EQ(rows.column_weight, (Weights{1, 1, 1, 1}));
  const MergedMatrix columns = merge_equal(bits, {.rows = false, .columns = true});
  EXPECT_EQ(columns.bits, bits_of({"01", "10", "01"}));
  EXPECT_EQ(columns.row_weight, (Weights{1, 1, 1}));
  const MergedMatrix neither = merge_equal(bits, {.rows = false, .columns = false});
  EXPECT_EQ(neither.bits, bits);
  EXPECT_EQ(neither.row_of, (Numbers{0, 1, 2}));
}

TEST(MergeEqual, GroupsStayApart) {
  const MergedMatrix merged = merge_equal(bits_of({"10", "10", "10", "01"}), {}, {7, 3, 7, 7});
  EXPECT_EQ(merged.bits, bits_of({"10", "10", "01"}));
  EXPECT_EQ(merged.row_of, (Numbers{0, 1, 0, 2}));
  EXPECT_EQ(merged.row_weight, (Weights{2, 1, 1}));
}

TEST(MergeEqual, WithoutRowsOrColumns) {
  const MergedMatrix no_columns = merge_equal(BitMatrix(3, 0));
  EXPECT_EQ(no_columns.row_weight, (Weights{3}));
  EXPECT_EQ(no_columns.bits, BitMatrix(1, 0));
  const MergedMatrix no_rows = merge_equal(BitMatrix(0, 3));
  EXPECT_EQ(no_rows.column_weight, (Weights{3}));
  EXPECT_EQ(no_rows.bits, BitMatrix(0, 1));
}

// Few different rows and columns, copied, so that there is something to merge.
BitMatrix with_copies(std::size_t rows, std::size_t columns, std::uint64_t seed) {
  Rng rng(Seed{seed});
  const std::size_t row_kinds = 1 + rng.below(6);
  const std::size_t column_kinds = 1 + rng.below(80);
  BitMatrix kinds(row_kinds, column_kinds);
  for (std::size_t n = 0; n < row_kinds; ++n) {
    for (std::size_t d = 0; d < column_kinds; ++d) kinds.set(n, d, rng.below(2) == 1);
  }
  Numbers row_kind(rows);
  Numbers column_kind(columns);
  for (auto& kind : row_kind) kind = static_cast<std::uint32_t>(rng.below(row_kinds));
  for (auto& kind : column_kind) kind = static_cast<std::uint32_t>(rng.below(column_kinds));
  return kinds.rows_of(row_kind).columns_of(column_kind);
}

void expect_no_two_equal(const BitMatrix& bits) {
  std::set<std::vector<std::uint64_t>> seen;
  for (std::size_t n = 0; n < bits.rows(); ++n) {
    RC_ASSERT(seen.emplace(bits.row(n).begin(), bits.row(n).end()).second);
  }
}

RC_GTEST_PROP(MergeEqual, UnmergesToTheOriginal, (std::uint64_t seed, bool rows, bool columns, bool grouped)) {
  const std::size_t row_count = *rc::gen::inRange<std::size_t>(0, 60);
  const std::size_t column_count = *rc::gen::inRange<std::size_t>(0, 140);
  const BitMatrix bits = with_copies(row_count, column_count, seed);
  Numbers groups;
  for (std::uint32_t n = 0; grouped && n < row_count; ++n) groups.push_back(n % 3);
  const MergedMatrix merged = merge_equal(bits, {rows, columns}, groups);
  RC_ASSERT(merged.bits.rows_of(merged.row_of).columns_of(merged.column_of) == bits);
  RC_ASSERT(merged.row_weight.size() == merged.bits.rows());
  RC_ASSERT(merged.column_weight.size() == merged.bits.columns());
  RC_ASSERT(std::accumulate(merged.row_weight.begin(), merged.row_weight.end(), 0.0) == static_cast<double>(row_count));
  RC_ASSERT(std::accumulate(merged.column_weight.begin(), merged.column_weight.end(), 0.0) ==
            static_cast<double>(column_count));
  if (rows && !grouped) expect_no_two_equal(merged.bits);
  RC_ASSERT(count_distinct_rows(bits) == merge_equal(bits, {true, false}).bits.rows());
  if (columns) expect_no_two_equal(merged.bits.transposed());
  for (std::size_t n = 0; grouped && n < row_count; ++n) {
    for (std::size_t m = 0; m < n; ++m) {
      if (merged.row_of[n] == merged.row_of[m]) RC_ASSERT(groups[n] == groups[m]);
    }
  }
}

}  // namespace
}  // namespace motet::roles::merge_test
