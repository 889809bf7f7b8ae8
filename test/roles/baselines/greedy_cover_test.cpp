#include "motet/roles/baselines/greedy_cover.h"

#include <gtest/gtest.h>

#include "roles/planted_cases.h"
#include "support/cancelled.h"
#include "support/errors.h"
#include "support/processor.h"
#include "support/threads.h"

namespace motet::roles::greedy_cover_test {
namespace {

// The definition word for word, cell by cell, over the original rows and columns.
Factorization careful_cover(const BitMatrix& held, const BitMatrix& candidates, std::size_t roles, double plus,
                            double minus) {
  Factorization result{BitMatrix(roles, held.columns()), BitMatrix(held.rows(), roles)};
  BitMatrix covered(held.rows(), held.columns());
  const auto score = [&](std::size_t c, std::size_t n) {
    double sum = 0.0;
    for (std::size_t d = 0; d < held.columns(); ++d) {
      if (candidates(c, d) && !covered(n, d)) sum += held(n, d) ? plus : -minus;
    }
    return sum;
  };
  for (std::size_t k = 0; k < roles; ++k) {
    double best = 0.0;
    std::size_t chosen = candidates.rows();
    for (std::size_t c = 0; c < candidates.rows(); ++c) {
      double gain = 0.0;
      for (std::size_t n = 0; n < held.rows(); ++n) gain += std::max(0.0, score(c, n));
      if (gain > best) {
        best = gain;
        chosen = c;
      }
    }
    if (chosen == candidates.rows()) break;
    for (std::size_t d = 0; d < held.columns(); ++d) result.roles.set(k, d, candidates(chosen, d));
    for (std::size_t n = 0; n < held.rows(); ++n) {
      if (score(chosen, n) <= 0.0) continue;
      result.assignments.set(n, k);
      for (std::size_t d = 0; d < held.columns(); ++d) {
        if (candidates(chosen, d)) covered.set(n, d);
      }
    }
  }
  return result;
}

TEST(GreedyCover, IsTheDefinitionWithAndWithoutRepeatedRowsAndColumns) {
  for (std::uint64_t seed = 1; seed <= 12; ++seed) {
    const Rng rng(Seed{seed});
    // Weights of the score with a short binary form, so that the careful sums are exact too.
    const double minus = seed % 3 == 0 ? 0.375 : 1.0;
    const BitMatrix few = random_bits(25, 40, 0.35, rng.child(0));
    std::vector<std::uint32_t> rows;
    std::vector<std::uint32_t> columns;
    Rng draw = rng.child(1);
    for (int i = 0; i < 70; ++i) rows.push_back(static_cast<std::uint32_t>(draw.below(25)));
    for (int i = 0; i < 90; ++i) columns.push_back(static_cast<std::uint32_t>(draw.below(40)));
    const BitMatrix held = few.rows_of(rows).columns_of(columns);
    const BitMatrix candidates = random_bits(30, 40, 0.2, rng.child(2));
    const Factorization expected = careful_cover(held, candidates.columns_of(columns), 8, 1.0, minus);

    const MergedMatrix apart = merge_equal(held, {.rows = false, .columns = false});
    const GreedyCover repeated = greedy_cover(apart, candidates.columns_of(columns), 8, {1.0, minus}, {});
    EXPECT_EQ(repeated.result, expected);
    EXPECT_DOUBLE_EQ(repeated.error,
                     static_cast<double>(difference(held, boolean_product(expected.assignments, expected.roles))) /
                         static_cast<double>(held.rows() * held.columns()));

    const MergedMatrix merged = merge_equal(held);
    BitMatrix merged_candidates(candidates.rows(), merged.bits.columns());
    for (std::size_t d = 0; d < columns.size(); ++d) {
      for (std::size_t c = 0; c < candidates.rows(); ++c) {
        if (candidates(c, columns[d])) merged_candidates.set(c, merged.column_of[d]);
      }
    }
    const GreedyCover once = greedy_cover(merged, merged_candidates, 8, {1.0, minus}, {});
    EXPECT_EQ(unmerged(once.result, merged), expected);
    EXPECT_DOUBLE_EQ(once.error, repeated.error);
  }
}

TEST(GreedyCover, AGainMayRiseWhenOtherRolesAreTaken) {
  // 1110 first takes its zero for the second user; 1011 then costs nothing there.
  const BitMatrix held = bits_of({"1111", "1011", "1110", "1110", "1110"});
  const MergedMatrix data = merge_equal(held, {.rows = false, .columns = false});
  const BitMatrix candidates = bits_of({"1110", "0101", "1011"});
  EXPECT_EQ(greedy_cover(data, candidates, 3, {}, {}).result, careful_cover(held, candidates, 3, 1.0, 1.0));
}

TEST(GreedyCover, LeavesRolesEmptyWhenNothingIsToBeGained) {
  const MergedMatrix data = merge_equal(bits_of({"1100", "1100", "0011"}));
  const GreedyCover cover = greedy_cover(data, BitMatrix(data.bits), 4, {}, {});
  EXPECT_EQ(cover.error, 0.0);
  EXPECT_EQ(cover.result.roles.rows(), 4U);
  EXPECT_EQ(cover.result.roles.count(2) + cover.result.roles.count(3), 0U);
  EXPECT_EQ(cover.result.assignments.count(), 2U);
}

TEST(GreedyCover, OfNothingIsNothing) {
  const GreedyCover cover = greedy_cover(merge_equal(BitMatrix(0, 5)), BitMatrix(0, 1), 2, {}, {});
  EXPECT_EQ(cover.error, 0.0);
  EXPECT_EQ(cover.result.roles.rows(), 2U);
}

TEST(GreedyCover, RefusesWeightsThatRewardNothing) {
  const MergedMatrix data = merge_equal(bits_of({"10"}));
  EXPECT_EQ(error_of(
                [&] {
                  greedy_cover(data, bits_of({"10"}), 1, {0.0, 1.0}, {});
                },
                ErrorKind::usage),
            "weights of covered cells = 0 and 1 are not possible; the first "
            "must be positive, the second not negative");
}

TEST(GreedyCover, IsTheSameOnAnyNumberOfThreads) {
  // Large enough for the work to be shared out.
  const BitMatrix held = random_bits(600, 300, 0.2, Rng(Seed{8}));
  const MergedMatrix data = merge_equal(held);
  const Factorization one = greedy_cover(data, data.bits, 6, {1.0, 0.3}, with_threads({1})).result;
  EXPECT_EQ(greedy_cover(data, data.bits, 6, {1.0, 0.3}, with_threads(StartedThreads(2))).result, one);
  EXPECT_EQ(greedy_cover(data, data.bits, 6, {1.0, 0.3}, with_threads(StartedThreads(4))).result, one);
}

TEST(GreedyCover, CanBeCancelled) {
  const MergedMatrix data = merge_equal(bits_of({"110", "011"}));
  EXPECT_EQ(error_of([&] { greedy_cover(data, data.bits, 1, {}, cancelled_run()); }, ErrorKind::interrupted),
            "interrupted while choosing roles");
}

TEST(GreedyCover, IsTheSameAtEveryLevelOfTheProcessor) {
  const MergedMatrix data = merge_equal(random_bits(150, 75, 0.2, Rng(Seed{8})));
  expect_same_bits_at_every_level([&] {
    const Factorization found = greedy_cover(data, data.bits, 6, {1.0, 0.3}, with_threads({1})).result;
    std::vector<std::uint64_t> words;
    for (const BitMatrix* bits : {&found.roles, &found.assignments}) {
      for (std::size_t n = 0; n < bits->rows(); ++n) {
        words.insert(words.end(), bits->row(n).begin(), bits->row(n).end());
      }
    }
    return words;
  });
}

}  // namespace
}  // namespace motet::roles::greedy_cover_test
