#include "motet/roles/catalogue/hierarchy.h"

#include <gtest/gtest.h>

#include "data/bits.h"
#include "motet/base/streams.h"
#include "roles/planted_cases.h"

namespace motet::roles::hierarchy_test {
namespace {

using Numbers = std::vector<std::uint32_t>;

TEST(RoleHierarchy, NamesOnlyWhatDoesNotFollow) {
  //                                            0        1        2        3        4
  const RoleHierarchy found = role_hierarchy(bits_of({"11111", "11000", "10000", "00110", "00000"}));
  EXPECT_EQ(found.contains, (std::vector<Numbers>{{1, 3}, {2}, {}, {}, {}}));
  EXPECT_EQ(found.same_as, (Numbers{0, 1, 2, 3, 4}));
  EXPECT_EQ(found.link_count(), 3U);
  EXPECT_EQ(found.repeated_count(), 0U);
  EXPECT_EQ(levels(found), (std::vector<std::size_t>{2, 1, 0, 0, 0}));
}

TEST(RoleHierarchy, EqualRolesAreNamedOnce) {
  const RoleHierarchy found = role_hierarchy(bits_of({"100", "110", "110", "100", "110"}));
  EXPECT_EQ(found.same_as, (Numbers{0, 1, 1, 0, 1}));
  EXPECT_EQ(found.contains, (std::vector<Numbers>{{}, {0}, {}, {}, {}}));
  EXPECT_EQ(found.repeated_count(), 3U);
}

TEST(RoleHierarchy, EmptyRolesAreEqualToNothing) {
  const RoleHierarchy found = role_hierarchy(bits_of({"00", "00"}));
  EXPECT_EQ(found.same_as, (Numbers{0, 1}));
  EXPECT_EQ(found.link_count(), 0U);
}

// Against the definition: a link is a proper inclusion with nothing between.
TEST(RoleHierarchy, IsTheTransitiveReduction) {
  const Rng rng = stream(Seed{5}, Stream::roles_simulation);
  for (std::size_t round = 0; round < 30; ++round) {
    const BitMatrix roles = random_bits(12, 6, 0.4, rng.child(round));
    const auto lies_in = [&](std::size_t a, std::size_t b) {
      for (std::size_t d = 0; d < roles.columns(); ++d) {
        if (roles(a, d) && !roles(b, d)) return false;
      }
      return roles.count(a) > 0;
    };
    const RoleHierarchy found = role_hierarchy(roles);
    for (std::uint32_t k = 0; k < roles.rows(); ++k) {
      Numbers direct;
      for (std::uint32_t j = 0; j < roles.rows(); ++j) {
        if (!found.is_first(k) || !found.is_first(j) || !lies_in(j, k) || lies_in(k, j)) continue;
        bool has_between = false;
        for (std::size_t i = 0; i < roles.rows(); ++i) {
          has_between = has_between || (lies_in(j, i) && !lies_in(i, j) && lies_in(i, k) && !lies_in(k, i));
        }
        if (!has_between) direct.push_back(j);
      }
      EXPECT_EQ(found.contains[k], direct) << round << " " << k;
    }
  }
}

}  // namespace
}  // namespace motet::roles::hierarchy_test
