#include "motet/multilabel/label_groups.h"

#include <gtest/gtest.h>

#include "multilabel/set_cases.h"

namespace motet::multilabel::label_groups_test {
namespace {

const std::vector<std::string> names{"a", "b", "c", "d", "e"};

TEST(GroupLabels, JoinsThoseThatAlwaysComeTogetherAndLeavesOutTheAbsent) {
  const BitMatrix sets = sets_of({"10010", "01000", "11010"});
  const LabelGroups groups = group_labels(sets, names);
  EXPECT_EQ(groups.group, (std::vector<std::size_t>{0, 1, no_group, 0, no_group}));
  EXPECT_EQ(groups.names(), (std::vector<std::string>{"a|d", "b"}));
  EXPECT_EQ(groups.absent(), (std::vector<std::string>{"c", "e"}));
  EXPECT_FALSE(groups.is_plain());
  const BitMatrix grouped = groups.grouped(sets);
  EXPECT_EQ(grouped, sets_of({"10", "01", "11"}));
  EXPECT_EQ(groups.widened(grouped), sets);
  EXPECT_EQ(groups.grouped(sets_of({"10000", "00110"})), sets_of({"00", "00"}));  // only with all its labels
  EXPECT_EQ(groups.widened(std::vector<double>{0.25, 0.5, 0.75, 1.0}),
            (std::vector<double>{0.25, 0.5, 0.0, 0.25, 0.0, 0.75, 1.0, 0.0, 0.75, 0.0}));
}

TEST(GroupLabels, ChangesNothingWhereEveryLabelIsOfItsOwn) {
  const BitMatrix sets = sets_of({"110", "011", "001"});
  const LabelGroups groups = group_labels(sets, {"a", "b", "c"});
  EXPECT_TRUE(groups.is_plain());
  EXPECT_EQ(groups.grouped(sets), sets);
  EXPECT_EQ(groups.widened(sets), sets);
}

TEST(LabelGroupsValue, ComesBackTheSame) {
  const LabelGroups groups = group_labels(sets_of({"10010", "01000"}), names);
  const LabelGroups back = label_groups_from(to_value(groups));
  EXPECT_EQ(back.labels, groups.labels);
  EXPECT_EQ(back.group, groups.group);
  EXPECT_EQ(back.count, 2U);
}

}  // namespace
}  // namespace motet::multilabel::label_groups_test
