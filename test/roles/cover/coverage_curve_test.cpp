#include "motet/roles/cover/coverage_curve.h"

#include <gtest/gtest.h>

#include "roles/cover_cases.h"
#include "support/cancelled.h"
#include "support/expect_error.h"

namespace motet::roles::coverage_curve_test {
namespace {

// Each step the first of the candidates that add most, counted cell by cell over the original matrix.
std::vector<double> careful_order(const BitMatrix& held, const BitMatrix& candidates) {
  BitMatrix covered(held.rows(), held.columns());
  std::vector<double> sums;
  for (double sum = 0.0;;) {
    double best = 0.0;
    BitMatrix best_covered;
    for (std::size_t c = 0; c < candidates.rows(); ++c) {
      BitMatrix now = covered;
      for (std::size_t n = 0; n < held.rows(); ++n) {
        bool holds_all = candidates.count(c) > 0;
        for_each_bit(candidates.row(c), [&](std::size_t d) { holds_all = holds_all && held(n, d); });
        if (holds_all) for_each_bit(candidates.row(c), [&](std::size_t d) { now.set(n, d); });
      }
      const auto gain = static_cast<double>(now.count() - covered.count());
      if (gain <= best) continue;
      best = gain;
      best_covered = now;
    }
    if (best == 0.0) return sums;
    covered = best_covered;
    sums.push_back(sum += best);
  }
}

TEST(CoverageCurve, TakesWhatAddsMostCountingRepeatedUsersAndPermissions) {
  for (std::uint64_t number = 1; number <= 50; ++number) {
    const BitMatrix few = small_matrix(number);
    Rng rng(Seed{number});
    std::vector<std::uint32_t> rows;
    std::vector<std::uint32_t> columns;
    for (std::size_t i = 0; i < 20; ++i) rows.push_back(static_cast<std::uint32_t>(rng.below(few.rows())));
    for (std::size_t i = 0; i < 15; ++i) columns.push_back(static_cast<std::uint32_t>(rng.below(few.columns())));
    const BitMatrix held = few.rows_of(rows).columns_of(columns);
    const MergedMatrix merged = merge_equal(held);
    const BitMatrix candidates = cover_candidates(merged, BitMatrix(0, merged.bits.columns()), {});
    EXPECT_EQ(held_weight(merged), static_cast<double>(held.count()));
    BitMatrix original(candidates.rows(), held.columns());
    for (std::size_t c = 0; c < candidates.rows(); ++c) {
      for (std::size_t d = 0; d < held.columns(); ++d) original.set(c, d, candidates(c, merged.column_of[d]));
    }
    const RolesByGain order = greedy_order(merged, candidates, {});
    EXPECT_EQ(order.covered, careful_order(held, original)) << number;
    EXPECT_EQ(order.roles.rows(), order.covered.size());
    if (held.count() > 0) {
      EXPECT_EQ(order.covered.back(), held_weight(merged));  // what users hold is among the candidates
    }
  }
}

TEST(CoverageCurve, CandidatesAreRowsCommonPermissionsAndIntersections) {
  const BitMatrix candidates = cover_candidates(merge_equal(bits_of({"1110", "0111"})), bits_of({"100"}), {});
  const std::vector<std::string_view> expected = {"100", "110", "011", "010"};  // the middle columns are merged
  EXPECT_EQ(candidates, bits_of(expected));
}

TEST(CoverageCurve, CountsTheRolesForAsMuch) {
  const RolesByGain order = {BitMatrix(3, 1), {5.0, 8.0, 9.0}};
  EXPECT_EQ(roles_for(order, 0.0), 0U);
  EXPECT_EQ(roles_for(order, 5.0), 1U);
  EXPECT_EQ(roles_for(order, 5.5), 2U);
  EXPECT_EQ(roles_for(order, 9.0), 3U);
  EXPECT_EQ(roles_for(order, 10.0), 4U);
}

// What the first role covers is covered by the next two, which the first made look poorer than they are.
TEST(CoverageCurve, AShortListHasNoRoleThatItCouldDoWithout) {
  const MergedMatrix merged = merge_equal(bits_of({"111111"}), {.rows = false, .columns = false});
  const RolesByGain order = {bits_of({"011110", "111000", "000111"}), {4.0, 5.0, 6.0}};
  EXPECT_EQ(short_list(merged, order, 6.0, {}).roles, bits_of({"111000", "000111"}));
  EXPECT_EQ(short_list(merged, order, 6.0, {}).covered, 6.0);
  EXPECT_EQ(short_list(merged, order, 5.0, {}).roles, bits_of({"011110", "111000"}));
  EXPECT_EQ(short_list(merged, order, 4.0, {}).covered, 4.0);
  EXPECT_EQ(short_list(merged, order, 0.0, {}).roles.rows(), 0U);
}

TEST(CoverageCurve, AShortListCoversWhatItSays) {
  for (std::uint64_t number = 1; number <= 40; ++number) {
    const MergedMatrix merged = merge_equal(random_bits(60, 15, 0.5, Rng(Seed{number})));
    const RolesByGain order = greedy_order(merged, cover_candidates(merged, merged.bits, {}), {});
    const double goal = 0.9 * held_weight(merged);
    const ShortList list = short_list(merged, order, goal, {});
    EXPECT_GE(list.covered, goal);
    const RolesByGain again = greedy_order(merged, list.roles, {});
    EXPECT_EQ(again.covered.back(), list.covered);
    EXPECT_LE(list.roles.rows(), roles_for(order, goal));
  }
}

TEST(CoverageCurve, CanBeCancelled) {
  const MergedMatrix merged = merge_equal(bits_of({"10", "11"}));
  expect_error(ErrorKind::interrupted, "interrupted while ordering roles",
               [&] { greedy_order(merged, merged.bits, cancelled_run()); });
}

}  // namespace
}  // namespace motet::roles::coverage_curve_test
