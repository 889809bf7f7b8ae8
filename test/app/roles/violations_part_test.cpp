#include "motet/app/roles/violations_part.h"

#include <gtest/gtest.h>

#include "io/support.h"

namespace motet::roles::violations_part_test {
namespace {

struct Case {
  NameList users{std::vector<std::string>{"ann", "bob"}};
  NameList permissions{std::vector<std::string>{"p", "q"}};
  std::vector<std::string> roles = {"A", "B"};
  Violations violations{{{0, PairKind::permissions, 0, 1, false, {0, 1}, {}}, {1, PairKind::roles, 0, 1, true, {}, {}}},
                        {{0, 0, 1}}};
  ViolationNames names() const { return {users, permissions, roles}; }
};

TEST(ViolationsPart, SaysThroughWhat) {
  const Case one;
  const Document part = violations_part(one.violations, one.names());
  EXPECT_EQ(part.text,
            "2 violations of pairs that must not come together, 1 role that grants such a pair\n"
            "user  pair of      first  through   second  through\n"
            "ann   permissions  p      A + B     q       individual\n"
            "bob   roles        A      assigned  B       assigned\n"
            "role  first  second\n"
            "A     p      q\n");
  EXPECT_EQ(part.json.at("users").as_list()[0].at("first_through").as_text(), "A + B");
  EXPECT_EQ(part.json.at("roles").as_list()[0].at("role").as_text(), "A");
  EXPECT_EQ(part.sections.at(0).tables.size(), 2U);
}

TEST(ViolationsPart, NothingIsToldOfNone) {
  const Case one;
  const Document part = violations_part({}, one.names());
  EXPECT_EQ(part.text, "");
  EXPECT_TRUE(part.sections.empty());
  EXPECT_EQ(part.json.at("users").as_list().size(), 0U);
}

TEST(ViolationsPart, TheFileHasTheSameColumns) {
  const Case one;
  const TemporaryFolder folder;
  write_violations_csv(one.violations.users, one.names(), folder / "v.csv");
  EXPECT_EQ(folder.read("v.csv"),
            "user,kind,first,first_through,second,second_through\n"
            "ann,permissions,p,A + B,q,individual\n"
            "bob,roles,A,assigned,B,assigned\n");
}

}  // namespace
}  // namespace motet::roles::violations_part_test
