#include "motet/app/roles/review_parts.h"

#include <gtest/gtest.h>

#include "app/roles/roles_cases.h"
#include "motet/roles/role_order.h"
#include "motet/roles/role_summary.h"

namespace motet::roles::review_parts_test {
namespace {

std::string text_at(const Table& table, std::size_t row, std::size_t column) {
  return std::get<std::string>(table.rows.at(row).at(column));
}

struct Reviewed {
  RolesCase data = roles_case();
  RolesReport report{data.fit, data.access};
  BitMatrix assignments = most_probable_roles(data.fit.model, data.fit.users);
  BitMatrix roles = rounded_roles(data.fit.model);
  Document page;
};

TEST(RoleCards, UnfoldAllPermissionsAndMembers) {
  Reviewed it;
  add_role_cards(it.page, it.report, it.assignments, {});
  const Card& card = it.page.sections.at(0).cards.at(0);
  EXPECT_EQ(card.title, "ledger +2");
  ASSERT_EQ(card.lists.size(), 2U);
  EXPECT_EQ(card.lists[0].title, "All 3 permissions");
  EXPECT_EQ(card.lists[0].names, (std::vector<std::string>{"mail", "pay", "ledger"}));
  EXPECT_EQ(card.lists[1].title, "All 3 members");
  EXPECT_EQ(card.lists[1].names, (std::vector<std::string>{"ann", "bob", "eva"}));
  EXPECT_EQ(card.lists[1].rest, "");
}

TEST(RoleCards, SayHowManyMembersAreLeftOut) {
  Reviewed it;
  std::vector<std::string> names;
  for (int n = 0; n < 1003; ++n) names.push_back("u" + std::to_string(n));
  it.data.access.users = NameList(names);
  BitMatrix assignments(1003, 2);
  for (std::size_t n = 0; n < 1003; ++n) assignments.set(n, 0);
  add_role_cards(it.page, it.report, assignments, {});
  const Card& card = it.page.sections.at(0).cards.at(0);
  EXPECT_EQ(card.lists.at(1).title, "All 1003 members");
  EXPECT_EQ(card.lists.at(1).names.size(), 1000U);
  EXPECT_EQ(card.lists.at(1).rest, "and 3 more, which the file of --assignments lists");
  EXPECT_EQ(it.page.sections.at(0).cards.at(1).lists.size(), 1U);  // nobody has the other role
}

TEST(ExceptionsToReview, PutThePermissionOfManyUsersFirst) {
  Reviewed it;
  for (const std::uint32_t user : {0U, 1U}) {
    it.data.fit.exceptions.push_back({user, 4, ExceptionKind::extra, 0.9});
  }
  add_exceptions(it.page, it.report, it.roles, it.assignments);
  const Table& groups = it.page.sections.at(0).tables.at(0).table;
  EXPECT_EQ(text_at(groups, 0, 0), "truck");
  EXPECT_EQ(text_at(groups, 0, 1), "extra");
  EXPECT_EQ(std::get<std::int64_t>(groups.rows[0][2]), 3);
  EXPECT_EQ(std::get<double>(groups.rows[0][3]), 1.0);  // ann, bob and fay are all to whom no role grants it
  EXPECT_EQ(text_at(groups, 0, 4), "ann, bob, fay");
  EXPECT_EQ(text_at(groups, 1, 0), "ledger");
  EXPECT_EQ(text_at(groups, 1, 1), "missing");
  EXPECT_EQ(std::get<double>(groups.rows[1][3]), 1.0 / 3.0);          // of ann, bob and eva
  EXPECT_EQ(it.page.sections[0].tables.at(1).table.rows.size(), 4U);  // one by one
}

TEST(ExceptionsToReview, SayThatThereAreNone) {
  Reviewed it;
  it.data.fit.exceptions.clear();
  add_exceptions(it.page, it.report, it.roles, it.assignments);
  EXPECT_TRUE(it.page.sections.at(0).lead.starts_with("0 permissions are held although"));
  EXPECT_TRUE(it.page.sections[0].tables.empty());
}

TEST(OverlapOfRoles, NamesTheSmallerRoleFirst) {
  Reviewed it;
  BitMatrix roles(2, 5);
  for (const std::size_t d : {0U, 1U, 2U}) roles.set(0, d);
  for (const std::size_t d : {0U, 4U}) roles.set(1, d);
  add_overlap(it.page, it.data.fit.model, roles, it.assignments);
  const Table& pairs = it.page.sections.at(0).tables.at(0).table;
  ASSERT_EQ(pairs.rows.size(), 1U);
  EXPECT_EQ(text_at(pairs, 0, 0), "stock +2");
  EXPECT_EQ(text_at(pairs, 0, 2), "ledger +2");
  EXPECT_EQ(std::get<double>(pairs.rows[0][5]), 0.5);
}

TEST(OverlapOfRoles, IsNotToldOfRolesWithNothingInCommon) {
  Reviewed it;
  BitMatrix roles(2, 5);
  roles.set(0, 0);
  roles.set(1, 1);
  add_overlap(it.page, it.data.fit.model, roles, it.assignments);
  EXPECT_TRUE(it.page.sections.empty());
}

}  // namespace
}  // namespace motet::roles::review_parts_test
