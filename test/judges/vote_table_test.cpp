#include "motet/judges/vote_table.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <numeric>

#include "judges/vote_cases.h"

namespace motet::judges::vote_table_test {
namespace {

constexpr double summation = 1e-12;  // relative: the same terms added in another order

// The table as it is without merging.
VoteTable unmerged(const Votes& votes) {
  VoteTable table;
  table.judge_count = votes.judge_count();
  table.class_count = votes.class_count();
  table.starts = votes.starts;
  table.codes = votes.codes;
  table.known = votes.known;
  table.leaves = cut_leaves(table.starts);
  return table;
}

class Merged : public testing::TestWithParam<double> {};  // by the share of known classes

TEST_P(Merged, RowsStandForTheirItems) {
  const Votes votes = random_votes({.items = 2000, .judges = 3, .classes = 2, .gold = GetParam()}, Seed{1});
  const VoteTable table = make_vote_table(votes);
  ASSERT_EQ(table.row_of.size(), votes.item_count());
  ASSERT_LT(table.row_count(), votes.item_count());
  std::vector<double> items(table.row_count(), 0.0);
  for (std::size_t i = 0; i < votes.item_count(); ++i) {
    const std::size_t row = table.row_of[i];
    const auto found = table.of_row(row);
    const auto expected = votes.of_item(i);
    ASSERT_TRUE(std::equal(found.begin(), found.end(), expected.begin(), expected.end())) << i;
    ASSERT_EQ(table.known_class(row), votes.known_class(i)) << i;
    items[row] += 1.0;
  }
  EXPECT_EQ(items, table.weights);
  EXPECT_EQ(table.item_total(), 2000.0);
  EXPECT_EQ(table.leaves.front(), 0U);
  EXPECT_EQ(table.leaves.back(), table.row_count());
}

TEST_P(Merged, StatisticsAreThoseOfTheItems) {
  const Votes votes = random_votes({.items = 2000, .judges = 3, .classes = 3, .gold = GetParam()}, Seed{2});
  const VoteTable table = make_vote_table(votes);
  const VoteTable plain = unmerged(votes);
  ASSERT_FALSE(table.weights.empty());
  EXPECT_EQ(vote_counts(table), vote_counts(plain));
  EXPECT_EQ(plain.item_total(), 2000.0);
  const std::vector<double> parameters = random_parameters(3, 3, Rng(Seed{3}));
  for (const double inverse_temperature : {1.0, 0.5}) {
    const auto a = expect(confusion_problem(table, {}), parameters, inverse_temperature, Threads{1});
    const auto b = expect(confusion_problem(plain, {}), parameters, inverse_temperature, Threads{1});
    for (std::size_t i = 0; i < a.size(); ++i) EXPECT_NEAR(a[i], b[i], summation * std::abs(b[i])) << i;
  }
}

INSTANTIATE_TEST_SUITE_P(VoteTable, Merged, testing::Values(0.0, 0.3));

TEST(VoteTable, KnownItemsAreNotMergedWithUnknownOnes) {
  Votes votes = random_votes({.items = 40, .judges = 2, .classes = 2, .answered = 1.0, .accuracy = 1.0}, Seed{1});
  EXPECT_EQ(make_vote_table(votes).row_count(), 2U);
  votes.known.assign(40, Votes::unknown);
  votes.known[0] = 0;
  votes.known[1] = 1;
  EXPECT_EQ(make_vote_table(votes).row_count(), 4U);
}

TEST(VoteTable, RowsThatDifferAreLeftWhereTheyAre) {
  const Votes votes = random_votes({.items = 300, .judges = 12, .classes = 4}, Seed{1});
  VoteTable table = make_vote_table(votes);
  EXPECT_TRUE(table.row_of.empty());
  EXPECT_EQ(table.row_count(), 300U);
  EXPECT_EQ(table.codes.data(), votes.codes.data());
  EXPECT_EQ(table.item_total(), 300.0);
}

TEST(VoteTable, MovingKeepsItsRows) {
  const Votes votes = random_votes({.items = 500, .judges = 2, .classes = 2}, Seed{1});
  VoteTable table = make_vote_table(votes);
  const std::vector<double> counts = vote_counts(table);
  const VoteTable moved = std::move(table);
  EXPECT_EQ(vote_counts(moved), counts);
}

TEST(VoteTable, AnItemWithoutVotesIsARow) {
  const Votes votes = make_votes(NameList(std::vector<std::string>{"x", "y"}), NameList(std::vector<std::string>{"j"}),
                                 NameList(std::vector<std::string>{"a", "b"}), std::vector<Vote>{{0, 0, 1}});
  const VoteTable table = make_vote_table(votes);
  EXPECT_EQ(table.item_total(), 2.0);
  EXPECT_EQ(vote_counts(table), (std::vector<double>{0.0, 1.0}));
}

}  // namespace
}  // namespace motet::judges::vote_table_test
