#include "motet/roles/member_changes.h"

#include <gtest/gtest.h>

#include "data/bits.h"

namespace motet::roles::member_changes_test {
namespace {

using Names = std::vector<std::string>;

NameList list_of(const Names& names) { return NameList(names); }

TEST(MemberChanges, UsersAndRolesAreMatchedByName) {
  const NameList old_users = list_of({"ann", "bob", "cid"});
  const NameList users = list_of({"dan", "bob", "ann"});
  const BitMatrix old_roles = bits_of({"10", "11", "01"});
  const BitMatrix roles = bits_of({"100", "110", "011"});
  // Old role 0 is now role 1, old role 1 vanished; roles 0 and 2 appeared.
  RoleChanges changes;
  changes.matched.push_back({0, 1, "a", 1.0, {}, {}});
  changes.appeared = {0, 2};
  changes.vanished = {"b"};
  const MemberChanges found = member_changes({old_users, old_roles}, {users, roles}, changes);
  EXPECT_EQ(found.users_new, Names{"dan"});
  EXPECT_EQ(found.users_gone, Names{"cid"});
  ASSERT_EQ(found.roles.size(), 3U);
  EXPECT_EQ(found.roles[1].before, 2U);
  EXPECT_EQ(found.roles[1].now, 2U);
  EXPECT_TRUE(found.roles[1].joined.empty());
  EXPECT_TRUE(found.roles[1].left.empty());
  EXPECT_EQ(found.roles[0].joined, (Names{"dan", "bob"}));
  EXPECT_EQ(found.roles[2].joined, Names{"ann"});
  EXPECT_EQ(found.joined_count(), 3U);
  EXPECT_EQ(found.left_count(), 0U);
}

TEST(MemberChanges, WhoIsGoneLeftAndWhoIsNewJoined) {
  RoleChanges changes;
  changes.matched.push_back({0, 0, "a", 1.0, {}, {}});
  const NameList before = list_of({"ann", "bob", "cid"});
  const NameList now = list_of({"bob", "cid", "dan"});
  const BitMatrix had = bits_of({"1", "1", "0"});
  const BitMatrix has = bits_of({"0", "1", "1"});
  const MemberChanges found = member_changes({before, had}, {now, has}, changes);
  EXPECT_EQ(found.roles[0].joined, (Names{"cid", "dan"}));
  EXPECT_EQ(found.roles[0].left, (Names{"ann", "bob"}));
  EXPECT_EQ(found.left_count(), 2U);
}

}  // namespace
}  // namespace motet::roles::member_changes_test
