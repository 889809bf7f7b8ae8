#include "motet/io/attributes_csv.h"

#include "io/support.h"

namespace motet::attributes_csv_test {
namespace {

using Names = std::vector<std::string>;

KnownNames some_users() { return {NameTable(NameList(Names{"ann", "bob", "cid"})), "user", "access.csv"}; }

const FileReader attributes_in{"hr.csv", [](const std::string& path, char delimiter = ',') {
                                 return read_attributes(path, delimiter, some_users(), {});
                               }};

// "ann: it -", one word per attribute
Names listed(const Attributes& attributes) {
  const KnownNames users = some_users();
  Names list;
  for (std::size_t n = 0; n < 3; ++n) {
    list.push_back(std::string(users.table.names()[n]) + ":");
    for (std::size_t a = 0; a < attributes.count(); ++a) {
      const std::uint32_t value = attributes.of(n, a);
      list.back() += " " + (value == Attributes::missing ? "-" : std::string(attributes.values[a][value]));
    }
  }
  return list;
}

TEST(ReadAttributes, InTheOrderOfTheUsers) {
  const AttributesFile file = attributes_in("id,department,site\ncid,hr,x\nann,it,\nbob,hr,y\n");
  EXPECT_EQ(file.attributes.names, (Names{"department", "site"}));
  EXPECT_EQ(file.attributes.values[0].to_vector(), (Names{"hr", "it"}));
  EXPECT_EQ(listed(file.attributes), (Names{"ann: it -", "bob: hr y", "cid: hr x"}));
  EXPECT_EQ(file.users_left_out, 0U);
}

TEST(ReadAttributes, UsersThatAreNotThereAreMissing) {
  const AttributesFile file = attributes_in("user;site\nbob;\"a;b\"\n", ';');
  EXPECT_EQ(listed(file.attributes), (Names{"ann: -", "bob: a;b", "cid: -"}));
  EXPECT_EQ(file.users_left_out, 2U);
}

TEST(ReadAttributes, AColumnMayBeEmpty) {
  const AttributesFile file = attributes_in("user,site,floor\nbob,x,\n");
  EXPECT_EQ(listed(file.attributes), (Names{"ann: - -", "bob: x -", "cid: - -"}));
  EXPECT_TRUE(file.attributes.values[1].empty());
}

TEST(ReadAttributes, Errors) {
  attributes_in.expect_errors(
      {{"user,site\nzed,x\nyan,y\n", "hr.csv: none of its users is in access.csv"},
       {"user,site\nann,x\nbob,x\nann,x\n", "hr.csv:4: user 'ann' appears twice (first on line 2); keep one"},
       {"user,site\n,x\n", "hr.csv:2: the user is empty"},
       {"user\nann\n",
        "hr.csv:1: only one column, 'user'; the user and at least one attribute are needed (is the delimiter "
        "right?)"},
       {"user,site,site\n", "hr.csv:1: column 'site' appears twice; the first line must be the header"},
       {"user,\n", "hr.csv:1: column 2 has no name"},
       {"user,site\n", "hr.csv: there are no users"},
       {"", "hr.csv: the file is empty; a header line is needed"}});
}

TEST(ReadAttributes, UsersOfNobodyAreCountedAndLeftOut) {
  const AttributesFile file = attributes_in("user,site\nzed,q\nann,x\nyan,q\nzed,r\n");
  EXPECT_EQ(listed(file.attributes), (Names{"ann: x", "bob: -", "cid: -"}));
  EXPECT_EQ(file.strangers, 2U);
  EXPECT_EQ(file.attributes.values[0].to_vector(), Names{"x"});  // and no word of theirs is kept
}

}  // namespace
}  // namespace motet::attributes_csv_test
