#include "motet/roles/cover/granted_exactly.h"

#include <gtest/gtest.h>

#include "roles/cover_cases.h"
#include "support/threads.h"

namespace motet::roles::granted_exactly_test {
namespace {

TEST(GrantedExactly, MembersHoldAllOfTheRole) {
  const BitMatrix held = bits_of({"110", "011", "111"});
  const auto members = possible_members(held, bits_of({"110", "010", "000", "101"}), {});
  ASSERT_EQ(members.size(), 4U);
  EXPECT_EQ(members[0], (std::vector<std::uint32_t>{0, 2}));
  EXPECT_EQ(members[1], (std::vector<std::uint32_t>{0, 1, 2}));
  EXPECT_TRUE(members[2].empty());
  EXPECT_EQ(members[3], (std::vector<std::uint32_t>{2}));
}

TEST(GrantedExactly, NobodyHasARoleThatTheyCouldDoWithout) {
  // The middle role adds most, and is needless once the others are there.
  const BitMatrix held = bits_of({"111111"});
  EXPECT_EQ(granted_exactly(held, bits_of({"011110", "111000", "000111"}), {}), bits_of({"011"}));
}

TEST(GrantedExactly, CoversAllThatSuchRolesCanAndNothingElse) {
  for (std::uint64_t number = 1; number <= 100; ++number) {
    const Rng rng(Seed{number});
    const BitMatrix held = random_bits(30, 90, 0.7, rng.child(0));
    const BitMatrix roles = random_bits(20, 90, 0.04, rng.child(1));
    const BitMatrix assigned = granted_exactly(held, roles, {});
    const BitMatrix granted = boolean_product(assigned, roles);
    for (std::size_t n = 0; n < held.rows(); ++n) {
      BitMatrix possible(1, 90);
      for (std::size_t k = 0; k < roles.rows(); ++k) {
        std::size_t outside = 0;
        for_each_bit(roles.row(k), [&](std::size_t d) { outside += held(n, d) ? 0 : 1; });
        if (outside > 0) continue;
        for_each_bit(roles.row(k), [&](std::size_t d) { possible.set(0, d); });
      }
      EXPECT_EQ(granted.rows_of(std::vector{static_cast<std::uint32_t>(n)}), possible);
      for_each_bit(assigned.row(n), [&](std::size_t without) {
        BitMatrix fewer = assigned;
        fewer.set(n, without, false);
        EXPECT_NE(boolean_product(fewer, roles), granted);
      });
    }
  }
}

TEST(GrantedExactly, IsTheSameOnAnyNumberOfThreads) {
  const BitMatrix held = random_bits(1000, 60, 0.8, Rng(Seed{1}));
  const BitMatrix roles = random_bits(150, 60, 0.06, Rng(Seed{2}));
  const BitMatrix one = granted_exactly(held, roles, with_threads({1}));
  StartedThreads threads(4);
  EXPECT_EQ(granted_exactly(held, roles, with_threads(threads)), one);
}

}  // namespace
}  // namespace motet::roles::granted_exactly_test
