#include "motet/data/votes.h"

#include <gtest/gtest.h>

#include "motet/base/error.h"

namespace motet {
namespace {

TEST(VoteList, WidensForManyLabels) {
  VoteList list;
  std::vector<Vote> given;
  for (std::uint32_t i = 0; i < 5000; ++i) given.push_back({i, i * 3, i % 7 == 0 ? i : i % 5});
  for (const Vote& vote : given) list.append({&vote, 1});
  ASSERT_EQ(list.size(), given.size());
  for (std::size_t i = 0; i < given.size(); ++i) {
    EXPECT_EQ(list[i].item, given[i].item);
    EXPECT_EQ(list[i].judge, given[i].judge);
    EXPECT_EQ(list[i].label, given[i].label);
  }
}

TEST(VoteList, RefusesWhatDoesNotFit) {
  VoteList list;
  const Vote vote{0, 1U << 30, 9};
  try {
    list.append({&vote, 1});
    ADD_FAILURE();
  } catch (const Error& error) {
    EXPECT_STREQ(error.what(), "more than 4294967295 votes, or judges times classes; split the data");
  }
}

TEST(GroupByItem, SortsAndFindsTheLowestDuplicate) {
  Votes votes;
  for (const char* name : {"x", "y", "z"}) votes.items.push_back(name);
  for (const char* name : {"ann", "bob"}) votes.judges.push_back(name);
  for (const char* name : {"a", "b", "c"}) votes.classes.push_back(name);
  const std::vector<Vote> good = {{2, 1, 0}, {0, 1, 2}, {2, 0, 2}, {0, 0, 1}};
  EXPECT_FALSE(group_by_item(good, votes));
  EXPECT_EQ(votes.starts, (std::vector<std::uint32_t>{0, 2, 2, 4}));
  EXPECT_EQ(votes.codes, (std::vector<std::uint32_t>{1, 5, 2, 3}));
  const std::vector<Vote> bad = {{2, 1, 0}, {1, 1, 2}, {2, 1, 2}, {1, 0, 0}, {1, 1, 2}};
  const auto twice = group_by_item(bad, votes);
  ASSERT_TRUE(twice);
  EXPECT_EQ(twice->first, 1U);
  EXPECT_EQ(twice->second, 4U);
}

}  // namespace
}  // namespace motet
