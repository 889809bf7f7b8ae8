#include "motet/data/votes.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <map>
#include <set>

#include "motet/base/rng.h"
#include "support/errors.h"

namespace motet::votes_test {
namespace {

Votes with_names(std::size_t items, std::size_t judges, std::size_t classes) {
  Votes votes;
  for (std::size_t i = 0; i < items; ++i) votes.items.push_back("i" + std::to_string(i));
  for (std::size_t j = 0; j < judges; ++j) votes.judges.push_back("j" + std::to_string(j));
  for (std::size_t c = 0; c < classes; ++c) votes.classes.push_back("c" + std::to_string(c));
  return votes;
}

// Codes by item as a map gives them.
std::vector<std::vector<std::uint32_t>> grouped_simply(std::span<const Vote> list, std::size_t items,
                                                       std::uint32_t classes) {
  std::vector<std::vector<std::uint32_t>> codes(items);
  for (const Vote& vote : list) codes[vote.item].push_back(vote.judge * classes + vote.label);
  for (auto& item : codes) std::sort(item.begin(), item.end());
  return codes;
}

void expect_groups(const Votes& votes, const std::vector<std::vector<std::uint32_t>>& expected) {
  for (std::size_t i = 0; i < expected.size(); ++i) {
    const auto found = votes.of_item(i);
    ASSERT_TRUE(std::equal(found.begin(), found.end(), expected[i].begin(), expected[i].end())) << i;
  }
}

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
  EXPECT_EQ(error_of(
                [&] {
                  list.append({&vote, 1});
                },
                ErrorKind::machine_limit),
            "more than 4294967295 votes, or judges times classes; split the data");
}

TEST(VoteList, RefusesAJudgeThatALaterLabelLeavesNoRoomFor) {
  VoteList list;
  const std::vector<Vote> votes = {{0, 1U << 27, 0}, {0, 0, 100}};  // either alone fits
  EXPECT_THROW(list.append(votes), Error);
  VoteList labels;
  const Vote vote{0, 0, 1U << 31};
  EXPECT_THROW(labels.append({&vote, 1}), Error);
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

RC_GTEST_PROP(GroupByItem, EqualsASimpleSort,
              (const std::vector<std::tuple<std::uint8_t, std::uint8_t, std::uint8_t>>& drawn)) {
  constexpr std::size_t items = 7;
  constexpr std::uint32_t classes = 3;
  std::vector<Vote> list;
  std::set<std::pair<std::uint32_t, std::uint32_t>> seen;
  for (const auto& [item, judge, label] : drawn) {
    const Vote vote{item % 7U, judge % 40U, label % classes};
    if (seen.emplace(vote.item, vote.judge).second) list.push_back(vote);
  }
  Votes votes = with_names(items, 40, classes);
  RC_ASSERT(!group_by_item(list, votes));
  RC_ASSERT(votes.vote_count() == list.size());
  expect_groups(votes, grouped_simply(list, items, classes));
}

RC_GTEST_PROP(GroupByItem, NamesTheDuplicateOfTheLowestItemAndJudge,
              (const std::vector<std::tuple<std::uint8_t, std::uint8_t, std::uint8_t>>& drawn)) {
  std::vector<Vote> list;
  std::map<std::pair<std::uint32_t, std::uint32_t>, std::vector<std::size_t>> places;
  for (const auto& [item, judge, label] : drawn) {
    list.push_back({item % 5U, judge % 4U, label % 3U});
    places[{list.back().item, list.back().judge}].push_back(list.size() - 1);
  }
  const auto expected = std::find_if(places.begin(), places.end(), [](const auto& at) { return at.second.size() > 1; });
  Votes votes = with_names(5, 4, 3);
  const auto found = group_by_item(list, votes);
  RC_ASSERT(found.has_value() == (expected != places.end()));
  if (found) {
    RC_ASSERT(found->first == expected->second[0]);
    RC_ASSERT(found->second == expected->second[1]);
  }
}

TEST(GroupByItem, ManyItemsInAnyOrderWithLabelsRenumbered) {
  constexpr std::uint32_t items = 100'000;  // several ranges of items, the last one not full
  const std::vector<std::uint32_t> class_of = {2, 0, 1};
  Rng rng(Seed{5});
  std::vector<Vote> list;
  for (std::uint32_t i = 0; i < items; ++i) {
    for (std::uint32_t j = 0; j < 3; ++j) {
      if (rng.uniform() < 0.6) list.push_back({i, j, static_cast<std::uint32_t>(rng.below(3))});
    }
  }
  for (std::size_t i = list.size(); i > 1; --i) std::swap(list[i - 1], list[rng.below(i)]);
  VoteList packed;
  packed.append(list);
  Votes votes = with_names(items, 3, 3);
  ASSERT_FALSE(group_by_item(packed, class_of, votes));
  for (Vote& vote : list) vote.label = class_of[vote.label];
  expect_groups(votes, grouped_simply(list, items, 3));
}

TEST(GroupByItem, NoVotesAtAll) {
  Votes votes = with_names(3, 2, 2);
  EXPECT_FALSE(group_by_item(std::span<const Vote>{}, votes));
  EXPECT_EQ(votes.starts, (std::vector<std::uint32_t>{0, 0, 0, 0}));
  EXPECT_EQ(votes.known_class(1), Votes::unknown);
}

TEST(MakeVotes, RefusesWhatIsNotThereOrComesTwice) {
  const auto refusal = [](const std::vector<Vote>& list) -> std::string {
    const Votes names = with_names(2, 2, 2);
    return error_if_any([&] { make_votes(names.items, names.judges, names.classes, list); }, ErrorKind::bad_data);
  };
  EXPECT_EQ(refusal({{0, 0, 0}, {1, 1, 1}}), "");
  for (const Vote& vote : {Vote{2, 0, 0}, Vote{0, 2, 0}, Vote{0, 0, 2}}) {
    EXPECT_EQ(refusal({vote}), "a vote names an item, judge or class that does not exist");
  }
  EXPECT_EQ(refusal({{1, 1, 0}, {1, 1, 1}}), "judge 'j1' voted twice on item 'i1'");
}

TEST(NaturalOrder, NumbersByValueOthersByBytes) {
  const auto sorted = [](const std::vector<std::string>& names) {
    std::vector<std::string> result;
    for (const std::uint32_t i : natural_order(NameList(names))) result.push_back(names[i]);
    return result;
  };
  using Names = std::vector<std::string>;
  EXPECT_EQ(sorted({"10", "9", "-1", "1e1", "0.5"}), (Names{"-1", "0.5", "9", "10", "1e1"}));
  EXPECT_EQ(sorted({"10", "9", "x"}), (Names{"10", "9", "x"}));
  // Not a number has no place among numbers.
  EXPECT_EQ(sorted({"nan", "2", "10", "inf"}), (Names{"10", "2", "inf", "nan"}));
  EXPECT_EQ(sorted({}), Names{});
}

}  // namespace
}  // namespace motet::votes_test
