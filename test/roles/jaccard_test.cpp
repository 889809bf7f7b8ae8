#include "motet/roles/jaccard.h"

#include <gtest/gtest.h>

#include "roles/planted_cases.h"

namespace motet::roles::jaccard_test {
namespace {

TEST(Jaccard, SharesOfPairs) {
  BitMatrix sets(3, 70);
  sets.set(0, 1);
  sets.set(0, 69);
  sets.set(1, 69);
  const std::vector<double> shared = pairwise_jaccard(sets);
  EXPECT_EQ(shared, (std::vector<double>{1.0, 0.5, 0.0, 0.5, 1.0, 0.0, 0.0, 0.0, 1.0}));
  EXPECT_EQ(jaccard(sets.row(2), sets.row(2)), 1.0);
}

TEST(Jaccard, IsTheShareOfCommonMembersAmongAll) {
  const BitMatrix sets = random_bits(12, 130, 0.4, Rng(Seed{1}));  // three words per row
  const std::vector<double> shared = pairwise_jaccard(sets);
  for (std::size_t a = 0; a < 12; ++a) {
    for (std::size_t b = 0; b < 12; ++b) {
      double both = 0.0, either = 0.0;
      for (std::size_t d = 0; d < 130; ++d) {
        both += sets(a, d) && sets(b, d) ? 1.0 : 0.0;
        either += sets(a, d) || sets(b, d) ? 1.0 : 0.0;
      }
      EXPECT_EQ(shared[a * 12 + b], both / either) << a << ' ' << b;
    }
  }
}

}  // namespace
}  // namespace motet::roles::jaccard_test
