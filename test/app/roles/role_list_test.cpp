#include "motet/app/roles/role_list.h"

#include <gtest/gtest.h>

#include "support/errors.h"

namespace motet::roles::role_list_test {
namespace {

using Numbers = std::vector<std::uint32_t>;

Numbers numbers_in(const std::string& text) {
  const std::vector<std::string> names = {"a", "b", "a, b +3", "c, d", "d"};
  return roles_in(text, NameTable{NameList(names)}, "--merge", "keep.csv");
}

TEST(RoleList, NamesStandBetweenCommas) {
  EXPECT_EQ(numbers_in("a"), Numbers{0});
  EXPECT_EQ(numbers_in("b,a"), (Numbers{1, 0}));
  EXPECT_EQ(numbers_in("b, a,b"), (Numbers{1, 0}));
}

TEST(RoleList, ANameMayHoldACommaItself) {
  EXPECT_EQ(numbers_in("a, b +3"), Numbers{2});
  EXPECT_EQ(numbers_in("a,a, b +3"), (Numbers{0, 2}));
  EXPECT_EQ(numbers_in("c, d,d"), (Numbers{3, 4}));
}

TEST(RoleList, WhatIsNoRoleIsNamed) {
  const auto text = [](const std::string& list) { return error_of([&] { numbers_in(list); }, ErrorKind::usage); };
  EXPECT_EQ(text("a,x,b"), "--merge: 'x,b' is no role of keep.csv; it has 'a', 'b', 'a, b +3', 'c, d', 'd'");
  EXPECT_EQ(text("x"), "--merge: 'x' is no role of keep.csv; it has 'a', 'b', 'a, b +3', 'c, d', 'd'");
}

}  // namespace
}  // namespace motet::roles::role_list_test
