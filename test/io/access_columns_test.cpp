#include "motet/io/access_columns.h"

#include <gtest/gtest.h>

namespace motet::access_columns_test {
namespace {

std::string found(const std::vector<std::string>& header, std::string_view user = "",
                  std::string_view permission = "") {
  const PairColumns columns = find_pair_columns(header, user, permission);
  const auto place = [](const FoundColumn& column) { return column.is_there() ? std::to_string(column.place) : "-"; };
  return place(columns.user) + " " + place(columns.permission);
}

TEST(AccessColumns, HeadingsOfOtherPrograms) {
  EXPECT_EQ(found({"permission", "user"}), "1 0");
  EXPECT_EQ(found({"sAMAccountName", "memberOf"}), "0 1");
  EXPECT_EQ(found({"User fullname", "Okta username", "Group source", "Group name"}), "1 3");
  EXPECT_EQ(found({"Identity Name", "Source", "Entitlement Value"}), "0 2");
  EXPECT_EQ(found({"login", "role"}), "0 1");
  EXPECT_EQ(found({"a", "b"}), "- -");
}

// What was always known goes before what is known as well.
TEST(AccessColumns, TheFirstKnownHeadingCounts) {
  EXPECT_EQ(found({"owner", "role", "permission", "user"}), "3 2");
  EXPECT_EQ(found({"role", "group", "account", "login"}), "2 1");
}

TEST(AccessColumns, ANameThatIsGivenCountsAlone) {
  EXPECT_EQ(found({"user", "badge", "right"}, "badge"), "1 2");
  EXPECT_EQ(found({"user", "Badge"}, "badge", "user"), "1 0");
  EXPECT_EQ(found({"Badge", "badge"}, "badge", "x"), "1 -");
}

}  // namespace
}  // namespace motet::access_columns_test
