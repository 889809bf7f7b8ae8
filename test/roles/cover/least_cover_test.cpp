#include "motet/roles/cover/least_cover.h"

#include <gtest/gtest.h>

#include "roles/cover_cases.h"
#include "support/cancelled.h"
#include "support/expect_error.h"
#include "support/threads.h"

namespace motet::roles::least_cover_test {
namespace {

LeastCover cover_of(const BitMatrix& held, const RunContext& run = {}) { return least_cover(access_cells(held), run); }

TEST(LeastCover, IsTheLeastAndProvedOnSmallMatrices) {
  for (std::uint64_t number = 1; number <= 600; ++number) {
    const BitMatrix held = small_matrix(number);
    const LeastCover cover = cover_of(held);
    EXPECT_EQ(cover.roles, FewestRectangles(held).count()) << number;
    EXPECT_EQ(cover.at_least, cover.roles) << number;
    EXPECT_TRUE(are_cliques(whole(held), cover.role)) << number;
    EXPECT_EQ(cover.summary.stop, Stop::converged);
  }
}

// Boolean rank of a crown: the least k with C(k, k / 2) >= n (de Caen, Gregory, Pullman 1981).
TEST(LeastCover, FindsTheKnownNumbersOfCrowns) {
  EXPECT_EQ(cover_of(crown(3)).roles, 3U);
  EXPECT_EQ(cover_of(crown(4)).roles, 4U);
  EXPECT_EQ(cover_of(crown(6)).roles, 4U);
  EXPECT_EQ(cover_of(crown(10)).roles, 5U);
  EXPECT_EQ(cover_of(crown(20)).roles, 6U);
}

TEST(LeastCover, DoesNotDependOnTheOrderWhenItIsProved) {
  for (std::uint64_t number = 1; number <= 40; ++number) {
    const BitMatrix held = random_bits(14, 12, 0.3, Rng(Seed{number}));
    const BitMatrix other =
        held.rows_of(shuffled(14, Rng(Seed{number}))).columns_of(shuffled(12, Rng(Seed{number + 1})));
    const LeastCover first = cover_of(held);
    const LeastCover second = cover_of(other);
    ASSERT_EQ(first.at_least, first.roles);
    ASSERT_EQ(second.at_least, second.roles);
    EXPECT_EQ(first.roles, second.roles);
    EXPECT_EQ(first.roles, cover_of(held.transposed()).roles);
  }
}

// Several parts that the reduction leaves whole, so that there is something to share out.
BitMatrix crowns(std::size_t count, std::size_t size) {
  BitMatrix bits(count * size, count * size);
  const BitMatrix one = crown(size);
  for (std::size_t i = 0; i < count; ++i) {
    for (std::size_t n = 0; n < size; ++n) {
      for (std::size_t d = 0; d < size; ++d) bits.set(i * size + n, i * size + d, one(n, d));
    }
  }
  return bits;
}

TEST(LeastCover, IsTheSameOnAnyNumberOfThreads) {
  const BitMatrix held = crowns(6, 7);
  const LeastCover one = cover_of(held, with_threads({1}));
  EXPECT_EQ(one.parts, 6U);
  EXPECT_EQ(one.roles, 30U);
  for (const unsigned count : {2U, 4U}) {
    StartedThreads threads(count);
    const LeastCover many = cover_of(held, with_threads(threads));
    EXPECT_EQ(many.role, one.role);
    EXPECT_EQ(many.summary.objective, one.summary.objective);
  }
}

TEST(LeastCover, TheNumberNeverGrows) {
  const LeastCover cover = cover_of(random_bits(40, 40, 0.4, Rng(Seed{3})));
  EXPECT_TRUE(std::is_sorted(cover.summary.objective.begin(), cover.summary.objective.end()));
  EXPECT_EQ(cover.summary.objective.back(), -static_cast<double>(cover.roles));
}

// Stopped and taken up again, the search ends where it ends by itself.
TEST(LeastCover, GoesOnFromACheckpoint) {
  const AccessCells cells = access_cells(random_bits(30, 30, 0.5, Rng(Seed{4})));
  const LeastCover whole_run = least_cover(cells, {});
  ASSERT_GT(whole_run.summary.iterations(), 5U);
  StoppedRun stopped(3);
  const LeastCover part_run = least_cover(cells, stopped.run);
  EXPECT_EQ(part_run.summary.stop, Stop::interrupted);
  EXPECT_GE(part_run.roles, whole_run.roles);
  EXPECT_TRUE(are_cliques(cover_part(cells, all_cells(cells)), part_run.role));
  const LeastCover resumed = least_cover(cells, resumed_run(stopped.kept));
  EXPECT_EQ(resumed.role, whole_run.role);
  EXPECT_EQ(resumed.summary.objective, whole_run.summary.objective);
}

TEST(LeastCover, RefusesTheCheckpointOfOtherCells) {
  StoppedRun stopped(3);
  least_cover(access_cells(random_bits(30, 30, 0.5, Rng(Seed{4}))), stopped.run);
  expect_error(ErrorKind::bad_data, "the checkpoint belongs to other data or options; start without --resume",
               [&] { least_cover(access_cells(random_bits(30, 30, 0.4, Rng(Seed{4}))), resumed_run(stopped.kept)); });
}

}  // namespace
}  // namespace motet::roles::least_cover_test
