#include "motet/app/roles/member_changes_part.h"

#include <gtest/gtest.h>

#include "motet/app/roles/mine_parts.h"

namespace motet::roles::member_changes_part_test {
namespace {

TEST(MemberChangesPart, TellsWhoJoinedAndWhoLeft) {
  RoleChanges changes;
  changes.matched.push_back({0, 0, "desk", 1.0, {}, {}});
  changes.matched.push_back({1, 1, "till", 1.0, {}, {}});
  const std::vector<std::string> roles = {"desk", "till"};
  MemberChanges members;
  members.roles = {{2, 2, {"ann"}, {"bob"}}, {5, 5, {}, {}}};
  members.users_new = {"ann"};
  Document part = changes_part(changes, roles);
  add_member_changes(part, members, roles);
  EXPECT_TRUE(
      part.text.ends_with("1 member joined a role and 1 left one; users: 1 new, 0 gone\n"
                          "role  members before  now  joined  left\n"
                          "desk               2    2  ann     bob\n"))
      << part.text;
  const Value::List& told = part.json.at("members").as_list();
  ASSERT_EQ(told.size(), 1U);
  EXPECT_EQ(told[0].at("joined"), Value::list({"ann"}));
  EXPECT_EQ(told[0].at("left"), Value::list({"bob"}));
  EXPECT_EQ(part.json.at("users_new"), Value::list({"ann"}));
  EXPECT_EQ(part.sections.back().tables.back().title, "Who joined and who left");
}

TEST(MemberChangesPart, NobodyMovedIsSaidWithoutATable) {
  RoleChanges changes;
  MemberChanges members;
  Document part = changes_part(changes, {});
  add_member_changes(part, members, {});
  EXPECT_TRUE(part.text.ends_with("0 members joined a role and 0 left one; users: 0 new, 0 gone\n")) << part.text;
}

}  // namespace
}  // namespace motet::roles::member_changes_part_test
