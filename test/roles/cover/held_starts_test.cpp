#include "motet/roles/cover/held_starts.h"

#include <gtest/gtest.h>

#include "roles/planted_cases.h"

namespace motet::roles::held_starts_test {
namespace {

// Three roles; the last users hold something that is of no role.
const BitMatrix held = bits_of({"111000", "111000", "000110", "000110", "111110", "111110", "000001", "111111"});

PriceRules three_a_user() { return {.most_roles = 3}; }

TEST(HeldStarts, GrantNothingThatIsNotHeld) {
  for (const std::size_t roles : {1U, 2U, 3U}) {
    const std::vector<Factorization> starts = held_starts(held, BitMatrix(0, 6), roles, three_a_user(), {});
    ASSERT_EQ(starts.size(), 2U);
    for (const Factorization& start : starts) {
      EXPECT_EQ(start.roles.rows(), roles);
      const BitMatrix granted = boolean_product(start.assignments, start.roles);
      for (std::size_t n = 0; n < held.rows(); ++n) {
        for (std::size_t d = 0; d < 6; ++d) EXPECT_LE(granted(n, d), held(n, d)) << n << ' ' << d;
      }
      if (roles == 3) {
        EXPECT_EQ(granted, held);
      }
    }
  }
}

TEST(HeldStarts, HaveEmptyRolesWhereFewerCoverEverything) {
  for (const Factorization& start : held_starts(held, BitMatrix(0, 6), 5, three_a_user(), {})) {
    EXPECT_EQ(boolean_product(start.assignments, start.roles), held);
    EXPECT_EQ(start.roles.rows(), 5U);
    EXPECT_EQ(start.roles.count(4), 0U);
  }
}

TEST(HeldStarts, BeginWithTheKeptRolesAndRespectTheRules) {
  PriceRules rules = three_a_user();
  rules.most_roles = 1;
  rules.never_in_one_role = {{0, 1}};
  const BitMatrix kept = bits_of({"110000"});
  for (const Factorization& start : held_starts(held, kept, 3, rules, {})) {
    EXPECT_EQ(difference(start.roles, 0, kept, 0), 0U);
    for (std::size_t k = 1; k < 4; ++k) EXPECT_FALSE(start.roles(k, 0) && start.roles(k, 1));
    for (std::size_t n = 0; n < held.rows(); ++n) EXPECT_LE(start.assignments.count(n), 1U);
  }
  rules.most_roles = 3;
  rules.never_in_one_role = {};
  rules.never_with_one_user = {{0, 1}, {0, 2}, {0, 3}};
  for (const Factorization& start : held_starts(held, kept, 3, rules, {})) {
    for (std::size_t n = 0; n < held.rows(); ++n) {
      for (std::size_t k = 1; k < 4; ++k) EXPECT_FALSE(start.assignments(n, 0) && start.assignments(n, k)) << n;
    }
  }
}

}  // namespace
}  // namespace motet::roles::held_starts_test
