#include "motet/roles/constraints.h"

#include <gtest/gtest.h>

#include "support/errors.h"

namespace motet::roles::constraints_test {
namespace {

using Names = std::vector<std::string>;

const Names permissions = {"write", "approve", "read"};

// Kept roles from rows of 0 and 1.
RoleConstraints keeping(const Names& names, const Names& rows) {
  RoleConstraints constraints;
  constraints.keep_names = names;
  constraints.keep = BitMatrix(rows.size(), permissions.size());
  for (std::size_t k = 0; k < rows.size(); ++k) {
    for (std::size_t d = 0; d < rows[k].size(); ++d) constraints.keep.set(k, d, rows[k][d] == '1');
  }
  return constraints;
}

Names warnings_of(const RoleConstraints& constraints) { return check_constraints(constraints, NameList(permissions)); }

std::string refusal_of(const RoleConstraints& constraints, ErrorKind kind = ErrorKind::bad_data) {
  return error_of([&] { check_constraints(constraints, NameList(permissions)); }, kind);
}

TEST(CheckConstraints, ThatCanHoldPass) {
  EXPECT_EQ(warnings_of({}), Names{});
  RoleConstraints constraints = keeping({"clerk", "chief"}, {"101", "011"});
  constraints.never_in_one_role = {{0, 1}};
  constraints.never_with_one_user = {{0, 1}};
  EXPECT_EQ(warnings_of(constraints), Names{});
}

TEST(CheckConstraints, KeptRoleWithAForbiddenPair) {
  RoleConstraints constraints = keeping({"clerk", "chief"}, {"101", "111"});
  constraints.never_in_one_role = {{0, 1}};
  EXPECT_EQ(refusal_of(constraints),
            "kept role 'chief' holds 'write' and 'approve', which must never share a role; change the role or leave "
            "out the pair");
}

TEST(CheckConstraints, PairsOfOneThing) {
  RoleConstraints constraints = keeping({"clerk", "chief"}, {"101", "011"});
  constraints.never_with_one_user = {{0, 1}, {1, 1}};
  EXPECT_EQ(refusal_of(constraints),
            "role 'chief' must never share a user with itself; a pair needs two different roles");
  constraints.never_in_one_role = {{2, 2}};
  EXPECT_EQ(refusal_of(constraints),
            "permission 'read' must never share a role with itself; a pair needs two different permissions");
}

TEST(CheckConstraints, NamesOfKeptRoles) {
  EXPECT_EQ(refusal_of(keeping({"clerk", "chief", "clerk"}, {"100", "010", "001"})),
            "two kept roles are called 'clerk'; give each its own name");
}

TEST(CheckConstraints, EqualAndEmptyRolesAreWarnings) {
  EXPECT_EQ(warnings_of(keeping({"a", "b", "c", "d", "e"}, {"101", "000", "011", "101", "000"})),
            (Names{"kept role 'b' has no permissions",
                   "kept roles 'a' and 'd' have the same permissions: nothing tells them apart",
                   "kept role 'e' has no permissions"}));
}

TEST(CheckConstraints, ARoleInsideItsOppositeIsAWarning) {
  RoleConstraints constraints = keeping({"clerk", "chief"}, {"100", "101"});
  constraints.never_with_one_user = {{0, 1}};
  EXPECT_EQ(warnings_of(constraints),
            Names{"kept role 'chief' has all permissions of 'clerk', with which it must never share a user"});
}

TEST(CheckConstraints, NumbersBeyondTheDataAreADefect) {
  RoleConstraints constraints = keeping({"a"}, {"101"});
  constraints.never_with_one_user = {{0, 1}};
  const std::string expected = "the constraints do not have the shape of the access data";
  EXPECT_EQ(refusal_of(constraints, ErrorKind::internal), expected);
  constraints = {};
  constraints.never_in_one_role = {{3, 0}};
  EXPECT_EQ(refusal_of(constraints, ErrorKind::internal), expected);
  constraints = keeping({"a"}, {"101"});
  constraints.keep_names.push_back("b");
  EXPECT_EQ(refusal_of(constraints, ErrorKind::internal), expected);
}

}  // namespace
}  // namespace motet::roles::constraints_test
