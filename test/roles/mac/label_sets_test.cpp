#include "motet/roles/mac/label_sets.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <set>

#include "support/errors.h"

namespace motet::roles::label_sets_test {
namespace {

using Set = std::vector<std::uint32_t>;
using Sets = std::vector<Set>;
using Pairs = std::vector<std::pair<std::uint32_t, std::uint32_t>>;

Sets listed(const LabelSets& sets) {
  Sets list;
  for (std::size_t s = 0; s < sets.size(); ++s) list.emplace_back(sets[s].begin(), sets[s].end());
  return list;
}

std::string refusal(std::size_t roles, std::size_t degree, const Pairs& forbidden, std::size_t most) {
  return error_of([&] { (void)LabelSets::up_to(roles, degree, forbidden, most); }, ErrorKind::machine_limit);
}

TEST(LabelSets, BySizeAndThenByMembers) {
  EXPECT_EQ(listed(LabelSets::up_to(3, 2)), (Sets{{}, {0}, {1}, {2}, {0, 1}, {0, 2}, {1, 2}}));
  EXPECT_EQ(listed(LabelSets::up_to(2, 5)), (Sets{{}, {0}, {1}, {0, 1}}));
  EXPECT_EQ(listed(LabelSets::up_to(3, 0)), Sets{{}});
  EXPECT_EQ(listed(LabelSets::up_to(0, 3)), Sets{{}});
}

TEST(LabelSets, ForbiddenPairsInAnyOrder) {
  EXPECT_EQ(listed(LabelSets::up_to(3, 3, Pairs{{2, 0}})), (Sets{{}, {0}, {1}, {2}, {0, 1}, {1, 2}}));
  EXPECT_EQ(listed(LabelSets::up_to(3, 3, Pairs{{0, 1}, {0, 2}, {1, 2}})), (Sets{{}, {0}, {1}, {2}}));
}

TEST(LabelSets, EqualWhenTheirSetsAre) {
  LabelSets sets;
  EXPECT_EQ(sets.size(), 0U);
  for (const Set& set : Sets{{}, {0}, {1}, {0, 1}}) sets.add(set);
  EXPECT_EQ(sets, LabelSets::up_to(2, 2));
  sets.add({});
  EXPECT_NE(sets, LabelSets::up_to(2, 2));
}

TEST(LabelSets, TooManyAreRefused) {
  EXPECT_EQ(LabelSets::up_to(4, 2, {}, 11).size(), 11U);
  EXPECT_EQ(refusal(4, 2, {}, 10),
            "4 roles, at most 2 per user, make 11 sets of roles; 10 is the limit; allow fewer roles per user");
  EXPECT_EQ(
      refusal(1000, 9, {}, 200'000),
      "1000 roles, at most 9 per user, make 1e+18 sets of roles; 200000 is the limit; allow fewer roles per user");
  EXPECT_EQ(LabelSets::up_to(4, 2, Pairs{{0, 1}}, 10).size(), 10U);
  EXPECT_EQ(refusal(4, 2, {{0, 1}}, 9),
            "4 roles, at most 2 per user, make more than 9 sets of roles; allow fewer roles per user");
}

TEST(LabelSetCount, IsASumOfBinomials) {
  EXPECT_EQ(label_set_count(0, 3), 1.0);
  EXPECT_EQ(label_set_count(5, 0), 1.0);
  EXPECT_EQ(label_set_count(20, 2), 211.0);
  EXPECT_EQ(label_set_count(10, 10), 1024.0);
  EXPECT_EQ(label_set_count(10, 1000), 1024.0);
  EXPECT_EQ(label_set_count(100'000, 10), 1e18);
}

RC_GTEST_PROP(LabelSets, AreAllThatAreAdmissible, (const Pairs& drawn)) {
  const std::uint32_t roles = *rc::gen::inRange<std::uint32_t>(0, 8);
  const std::size_t degree = *rc::gen::inRange<std::size_t>(0, 6);
  Pairs forbidden;
  for (const auto& [a, b] : drawn) {
    if (roles > 0 && a % roles != b % roles) forbidden.emplace_back(a % roles, b % roles);
  }
  std::set<Set> expected;
  for (std::uint32_t code = 0; code < 1U << roles; ++code) {
    Set set;
    for (std::uint32_t k = 0; k < roles; ++k) {
      if ((code >> k & 1U) != 0) set.push_back(k);
    }
    const bool is_broken = std::any_of(forbidden.begin(), forbidden.end(), [&](const auto& pair) {
      return (code >> pair.first & 1U) != 0 && (code >> pair.second & 1U) != 0;
    });
    if (set.size() <= degree && !is_broken) expected.insert(set);
  }
  const LabelSets sets = LabelSets::up_to(roles, degree, forbidden);
  const Sets found = listed(sets);
  RC_ASSERT(std::set<Set>(found.begin(), found.end()) == expected);
  RC_ASSERT(found.size() == expected.size());
  RC_ASSERT(found.front().empty());
  if (forbidden.empty()) RC_ASSERT(label_set_count(roles, degree) == static_cast<double>(found.size()));
  const auto by_role = sets_by_role(sets, roles);
  RC_ASSERT(by_role.size() == roles);
  for (std::uint32_t k = 0; k < roles; ++k) {
    Set holding;
    for (std::uint32_t s = 0; s < found.size(); ++s) {
      if (std::count(found[s].begin(), found[s].end(), k) != 0) holding.push_back(s);
    }
    RC_ASSERT(by_role[k] == holding);
  }
}

}  // namespace
}  // namespace motet::roles::label_sets_test
