#include "motet/multilabel/sources/identifiability.h"

#include <gtest/gtest.h>

#include "motet/base/rng.h"
#include "multilabel/set_cases.h"
#include "support/words.h"

namespace motet::multilabel::identifiability_test {
namespace {

using Groups = std::vector<std::vector<std::uint32_t>>;
using Words = std::vector<std::string>;

TEST(Identifiability, SinglesSettleEverything) {
  const SourceIdentifiability found = identifiability(sets_of({"100", "010", "001", "111"}), {"a", "b", "c"}, false);
  EXPECT_TRUE(found.identifiable);
  EXPECT_EQ(found.rank, 3U);
  EXPECT_TRUE(found.confounded.empty());
  EXPECT_TRUE(found.advice.empty());
}

TEST(Identifiability, PairsOfThreeAreEnoughWithoutAnySingle) {
  EXPECT_TRUE(identifiability(sets_of({"110", "101", "011"}), {"a", "b", "c"}, false).identifiable);
}

TEST(Identifiability, LabelsThatAlwaysComeTogetherAreConfounded) {
  const SourceIdentifiability found = identifiability(sets_of({"110", "001", "111"}), {"a", "b", "c"}, false);
  EXPECT_FALSE(found.identifiable);
  EXPECT_EQ(found.rank, 2U);
  EXPECT_EQ(found.confounded, (Groups{{0, 1}}));
  EXPECT_EQ(found.advice,
            (Words{"'a', 'b' cannot be told apart: items with 'a' alone or with 'b' alone would settle it"}));
}

TEST(Identifiability, PairsOfFourInACircleLeaveOneDirectionOpen) {
  const SourceIdentifiability found =
      identifiability(sets_of({"1100", "0110", "0011", "1001"}), {"a", "b", "c", "d"}, false);
  EXPECT_EQ(found.rank, 3U);
  EXPECT_EQ(found.confounded, (Groups{{0, 1, 2, 3}}));
  EXPECT_EQ(found.advice, (Words{"'a', 'b', 'c', 'd' cannot be told apart: items with 'a' alone or with 'b' alone or "
                                 "with 'c' alone would settle it"}));
}

TEST(Identifiability, AsManyKindsOfItemsAreAskedForAsAreMissing) {
  const SourceIdentifiability found = identifiability(sets_of({"111"}), {"a", "b", "c"}, false);
  EXPECT_EQ(found.rank, 1U);
  EXPECT_EQ(found.confounded, (Groups{{0, 1, 2}}));
  EXPECT_EQ(found.advice, (Words{"'a', 'b', 'c' cannot be told apart: items with 'a' alone, and items with 'b' alone "
                                 "or with 'c' alone would settle it"}));
}

TEST(Identifiability, GroupsThatShareNothingAreToldSeparately) {
  const SourceIdentifiability found =
      identifiability(sets_of({"11000", "00110", "00001"}), {"a", "b", "c", "d", "e"}, false);
  EXPECT_EQ(found.confounded, (Groups{{0, 1}, {2, 3}}));
  EXPECT_EQ(found.advice.size(), 2U);
}

TEST(Identifiability, ALabelInNoItemIsNamed) {
  const SourceIdentifiability found = identifiability(sets_of({"100", "010"}), {"a", "b", "c"}, false);
  EXPECT_EQ(found.confounded, (Groups{{2}}));
  EXPECT_EQ(found.advice, (Words{"no item has label 'c': items with it are needed"}));
}

TEST(Identifiability, ALabelInEveryItemIsLikeTheBackground) {
  const SourceIdentifiability found = identifiability(sets_of({"110", "101", "111"}), {"a", "b", "c"}, true);
  EXPECT_EQ(found.rank, 3U);
  EXPECT_EQ(found.confounded, (Groups{{0, 3}}));
  // Items with 'a' alone hold the background too, so only an item without 'a' helps.
  EXPECT_EQ(found.advice, (Words{"'a', the background cannot be told apart: items without any label would settle it"}));
}

TEST(Identifiability, TheBackgroundCarriesItemsWithoutLabels) {
  EXPECT_TRUE(identifiability(sets_of({"000", "100", "010", "001"}), {"a", "b", "c"}, true).identifiable);
  EXPECT_FALSE(identifiability(sets_of({"100", "010", "001"}), {"a", "b", "c"}, true).identifiable);
}

TEST(Identifiability, RandomSetsOfManyLabelsHaveTheRankTheyWereBuiltWith) {
  Rng rng(Seed{3});
  constexpr std::size_t labels = 60;
  BitMatrix sets(200, labels);
  Words names;
  for (std::size_t k = 0; k < labels; ++k) names.push_back(std::to_string(k));
  for (std::size_t j = 0; j < sets.rows(); ++j) {
    for (std::size_t k = 0; k + 1 < labels; ++k) sets.set(j, k, rng.uniform() < 0.5);
    sets.set(j, labels - 1, sets(j, 7));  // the last label is the eighth again
  }
  const SourceIdentifiability found = identifiability(sets, names, false);
  EXPECT_EQ(found.rank, labels - 1);
  EXPECT_EQ(found.confounded, (Groups{{7, 59}}));
}

}  // namespace
}  // namespace motet::multilabel::identifiability_test
