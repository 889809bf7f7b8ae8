#include "motet/multilabel/sources/design.h"

#include <gtest/gtest.h>

#include "multilabel/set_cases.h"
#include "support/expect_error.h"

namespace motet::multilabel::design_test {
namespace {

using Numbers = std::vector<double>;
using Members = std::vector<std::uint32_t>;

const BitMatrix sets = sets_of({"10", "01", "11"});
const Numbers count{3.0, 4.0, 5.0};

TEST(SetDesign, SumsEmissionsOrTakesTheirMean) {
  const SetDesign sum = design_of(sets, count, Combination::sum, false);
  EXPECT_EQ(sum.sources, 2U);
  EXPECT_EQ(sum.members, (std::vector<Members>{{0}, {1}, {0, 1}}));
  EXPECT_EQ(sum.factor, (Numbers{1.0, 1.0, 1.0}));
  EXPECT_EQ(sum.items, (Numbers{8.0, 9.0}));
  EXPECT_EQ(sum.unit(2), 2.0);
  const SetDesign mean = design_of(sets, count, Combination::mean, false);
  EXPECT_EQ(mean.factor, (Numbers{1.0, 1.0, 0.5}));
  EXPECT_EQ(mean.unit(2), 0.5);
}

TEST(SetDesign, TheBackgroundIsInEverySetAndCounts) {
  const SetDesign design = design_of(sets_of({"00", "10", "11"}), count, Combination::mean, true);
  EXPECT_EQ(design.sources, 3U);
  EXPECT_EQ(design.members, (std::vector<Members>{{2}, {0, 2}, {0, 1, 2}}));
  EXPECT_EQ(design.factor, (Numbers{1.0, 0.5, 1.0 / 3.0}));
  EXPECT_EQ(design.items, (Numbers{9.0, 5.0, 12.0}));
  EXPECT_EQ(design.degree(2), 3.0);
}

void refuses(const std::vector<std::string>& rows, bool background, const std::string& text,
             const std::vector<std::string>& names = {}) {
  const Numbers twenty(rows.size(), 20.0);
  const SetDesign design = design_of(sets_of(rows), twenty, Combination::sum, background);
  expect_error(ErrorKind::unanswerable, text, [&] { require_answerable(design, twenty, background, false, names); });
}

TEST(RequireAnswerable, SetsMustTeachEverySource) {
  refuses({"00", "10", "01"}, false, "20 items have no label, so no source explains them; use --background");
  refuses({"100", "010"}, false, "label 3 is in no item, so nothing can be learnt about it");
  refuses({"100", "010"}, false, "label 'c' is in no item, so nothing can be learnt about it", {"a", "b", "c"});
}

TEST(RequireAnswerable, SourcesMustBeToldApart) {
  const std::string rest =
      " cannot be told apart; add items in which they occur in other sets, or use --prior-strength";
  refuses({"110", "001", "111"}, false, "the label sets have rank 2, below the 3 sources: label 1 and label 2" + rest);
  refuses({"1110", "0001"}, false,
          "the label sets have rank 2, below the 4 sources: label 'a', label 'b' and label 'c'" + rest,
          {"a", "b", "c", "d"});
  refuses({"1100", "0011"}, false,
          "the label sets have rank 2, below the 4 sources: label 1 and label 2; label 3 and label 4" + rest);
  refuses({"10", "11"}, true, "the label sets have rank 2, below the 3 sources: label 1 and the background" + rest);
}

TEST(RequireAnswerable, APriorSettlesWhatSetsDoNotTellApart) {
  const BitMatrix confounded = sets_of({"110", "001"});
  const Numbers twenty{20.0, 20.0};
  const SetDesign design = design_of(confounded, twenty, Combination::sum, false);
  EXPECT_NO_THROW(require_answerable(design, twenty, false, true, {}));
  const SetDesign pairs = design_of(sets_of({"110", "101", "011"}), Numbers(3, 20.0), Combination::sum, false);
  EXPECT_NO_THROW(require_answerable(pairs, Numbers(3, 20.0), false, false, {}));
}

TEST(SourceName, IsThatOfItsLabel) {
  const std::vector<std::string> names{"rain", "wind"};
  EXPECT_EQ(source_name(1, 3, true, names), "label 'wind'");
  EXPECT_EQ(source_name(1, 2, false, {}), "label 2");
  EXPECT_EQ(source_name(2, 3, true, names), "the background");
}

TEST(ConnectedSources, AreThoseThatChainsOfSetsReach) {
  const auto groups = [](const std::vector<std::string>& sets, bool background) {
    return connected_sources(design_of(sets_of(sets), Numbers(sets.size(), 1.0), Combination::sum, background));
  };
  using Groups = std::vector<std::vector<std::uint32_t>>;
  EXPECT_EQ(groups({"100", "010", "001"}, false), (Groups{{0}, {1}, {2}}));
  EXPECT_EQ(groups({"0011", "1001", "0100"}, false), (Groups{{0, 2, 3}, {1}}));
  EXPECT_EQ(groups({"10001", "01010", "00110", "00001"}, false), (Groups{{0, 4}, {1, 2, 3}}));
  EXPECT_EQ(groups({"00", "10", "01"}, false), (Groups{{0}, {1}}));
  EXPECT_EQ(groups({"10", "01"}, true), (Groups{{0, 1, 2}}));  // all are with the background
}

TEST(CutSets, CoversTheSetsByTheirNumberAlone) {
  EXPECT_EQ(cut_sets(3, 2), (std::vector<std::size_t>{0, 1, 3}));
  EXPECT_EQ(cut_sets(2), (std::vector<std::size_t>{0, 1, 2}));
  EXPECT_EQ(cut_sets(0), (std::vector<std::size_t>{0, 0}));
  for (const std::size_t many : {33U, 100U, 4097U}) {
    const std::vector<std::size_t> cuts = cut_sets(many);
    ASSERT_EQ(cuts.size(), 33U);
    EXPECT_EQ(cuts.front(), 0U);
    EXPECT_EQ(cuts.back(), many);
    for (std::size_t i = 1; i < cuts.size(); ++i) {
      EXPECT_GE(cuts[i] - cuts[i - 1], many / 32);
      EXPECT_LE(cuts[i] - cuts[i - 1], many / 32 + 1);
    }
  }
}

}  // namespace
}  // namespace motet::multilabel::design_test
