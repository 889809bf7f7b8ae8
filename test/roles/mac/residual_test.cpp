#include "motet/roles/mac/residual.h"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <numeric>

#include "data/bits.h"
#include "roles/mac_cases.h"
#include "support/threads.h"

namespace motet::roles::residual_test {
namespace {

using Bits = std::vector<std::uint64_t>;

Bits words_of(std::string_view row) {
  const BitMatrix bits = bits_of({row});
  return {bits.row(0).begin(), bits.row(0).end()};
}

// Thirty users each of "a", "b" and both, with little noise; where `covered`, what the first role grants.
struct Planted {
  BitMatrix roles = bits_of({"111110000000", "000011111000"});
  BitMatrix held{90, 12};
  BitMatrix covered{90, 12};

  Planted() {
    Rng rng(Seed{2});
    for (std::size_t n = 0; n < 90; ++n) {
      for (std::size_t d = 0; d < 12; ++d) {
        const bool first = n % 3 != 1 && roles(0, d), second = n % 3 != 0 && roles(1, d);
        held.set(n, d, rng.uniform() < (first || second ? 0.95 : 0.05));
        covered.set(n, d, first);
      }
    }
  }

  std::vector<Bits> candidates(const MergedMatrix& data, const BitMatrix& by_row, std::size_t count,
                               Threads threads = {1}) const {
    Rng rng(Seed{3});
    return residual_candidates(data, by_row, 0.05, 0.95, count, threads, rng);
  }
};

TEST(Residual, GainsAreTheLogarithmsOfWhatARoleChanges) {
  const CellGain gain = cell_gain(0.25, 0.75);
  EXPECT_DOUBLE_EQ(gain.held, std::log(3.0));
  EXPECT_DOUBLE_EQ(gain.not_held, -std::log(3.0));
  EXPECT_DOUBLE_EQ(cell_gain(0.1, 0.9).held, std::log(9.0));
  EXPECT_DOUBLE_EQ(cell_gain(0.5, 0.75).not_held, std::log(0.5));
}

// Beside the first role, cells 4 of both are covered by it only where users have it.
TEST(Residual, TheRoleThatIsMissingComesFirst) {
  const Planted planted;
  const MergedMatrix data = each_alone(planted.held);
  const std::vector<Bits> found = planted.candidates(data, planted.covered, 3);
  ASSERT_FALSE(found.empty());
  EXPECT_LE(found.size(), 3U);
  EXPECT_EQ(found.front(), words_of("000011111000"));
  EXPECT_EQ(planted.candidates(data, planted.covered, 3, StartedThreads(2)), found);
}

// Of users who have one role each; with both together a single role explains those best who have both.
TEST(Residual, WithoutRolesBothAreAmongTheCandidates) {
  const Planted planted;
  std::vector<std::uint32_t> of_one;
  for (std::uint32_t n = 0; n < 90; ++n) {
    if (n % 3 != 2) of_one.push_back(n);
  }
  const MergedMatrix data = each_alone(planted.held.rows_of(of_one));
  const std::vector<Bits> found = planted.candidates(data, BitMatrix(60, 12), 4);
  for (const char* role : {"111110000000", "000011111000"}) {
    EXPECT_NE(std::find(found.begin(), found.end(), words_of(role)), found.end()) << role;
  }
  EXPECT_EQ(planted.candidates(data, BitMatrix(60, 12), 1).size(), 1U);
}

// Users three times as weight three: the same best candidate, by counts instead of products of bits.
TEST(Residual, WeightsCountLikeRepeatedUsersAndPermissions) {
  const Planted planted;
  MergedMatrix weighted = each_alone(planted.held);
  for (double& weight : weighted.row_weight) weight = 3.0;
  EXPECT_EQ(planted.candidates(weighted, planted.covered, 1).front(), words_of("000011111000"));
  weighted.column_weight.assign(12, 2.0);
  EXPECT_EQ(planted.candidates(weighted, planted.covered, 1).front(), words_of("000011111000"));
}

TEST(Residual, WhereAllIsCoveredThereIsNothingToAdd) {
  const Planted planted;
  EXPECT_TRUE(planted.candidates(each_alone(planted.held), planted.held, 3).empty());
}

std::vector<std::uint32_t> all_rows(std::size_t rows) {
  std::vector<std::uint32_t> members(rows);
  std::iota(members.begin(), members.end(), 0U);
  return members;
}

// Half of the members hold the first three, half the last two. As two roles each covers what it should: every user
// of the first half gains two cells that are not held and no longer covered, of the second three.
TEST(SplitRole, PartsWhatMembersHoldSeparately) {
  const MergedMatrix data =
      each_alone(bits_of({"11100", "11100", "11100", "11100", "00011", "00011", "00011", "00011"}));
  const RoleSplit split = split_role(data, words_of("11111"), all_rows(8), 0.2, 0.9);
  EXPECT_TRUE(split.part == words_of("11100") || split.part == words_of("00011"));
  EXPECT_NEAR(split.worth, 4.0 * (2.0 + 3.0) * std::log(0.8 / 0.1), 1e-12);
}

TEST(SplitRole, LooksAtTheColumnsOfTheRoleAndItsMembersOnly) {
  // Columns 4 and 5 part too, but are not of the role; the last two rows are no members.
  const MergedMatrix data =
      each_alone(bits_of({"110010", "110001", "110010", "001101", "001110", "001101", "111100", "000000"}));
  const RoleSplit split = split_role(data, words_of("111100"), all_rows(6), 0.1, 0.9);
  EXPECT_TRUE(split.part == words_of("110000") || split.part == words_of("001100"));
  EXPECT_NEAR(split.worth, 6.0 * 2.0 * std::log(9.0), 1e-12);
}

TEST(SplitRole, WeightsCountLikeRepeatedUsersAndPermissions) {
  MergedMatrix data = each_alone(bits_of({"110", "110", "001", "001"}));
  data.row_weight = {1.0, 2.0, 1.0, 1.0};
  data.column_weight = {1.0, 1.0, 3.0};
  const RoleSplit split = split_role(data, words_of("111"), all_rows(4), 0.1, 0.9);
  // Three users no longer lack the three permissions of the last column, two no longer the first two.
  EXPECT_NEAR(split.worth, (3.0 * 3.0 + 2.0 * 2.0) * std::log(9.0), 1e-12);
}

TEST(SplitRole, ThereIsNoneOfOneColumnOfFewMembersOrOfMembersAlike) {
  const MergedMatrix data = each_alone(bits_of({"11", "11", "11", "11"}));
  EXPECT_TRUE(split_role(data, words_of("10"), all_rows(4), 0.1, 0.9).part.empty());
  EXPECT_TRUE(split_role(data, words_of("11"), all_rows(3), 0.1, 0.9).part.empty());
  EXPECT_TRUE(split_role(data, words_of("11"), all_rows(4), 0.1, 0.9).part.empty());
  EXPECT_EQ(split_role(data, words_of("11"), all_rows(4), 0.1, 0.9).worth, 0.0);
}

}  // namespace
}  // namespace motet::roles::residual_test
