#include "motet/io/attributes_csv.h"

#include "io/support.h"

namespace motet::attributes_csv_test {
namespace {

using Names = std::vector<std::string>;

KnownNames some_users() { return {NameTable(NameList(Names{"ann", "bob", "cid"})), "user", "access.csv"}; }

AttributesFile attributes_in(std::string_view text, char delimiter = ',') {
  const TemporaryFolder folder;
  return read_attributes(folder.write("hr.csv", text), delimiter, some_users(), {});
}

std::string error_in(std::string_view text) {
  const TemporaryFolder folder;
  folder.write("hr.csv", text);
  return folder.error_of([&] { read_attributes(folder / "hr.csv", ',', some_users(), {}); });
}

// "ann: it -", a word an attribute
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
  EXPECT_EQ(error_in("user,site\nann,x\nzed,y\n"), "hr.csv:3: user 'zed' is not in access.csv; leave the line out");
  EXPECT_EQ(error_in("user,site\nann,x\nzed,y\nyan,x\nxis,x\nzed,x\n"),
            "hr.csv:3: user 'zed' is not in access.csv; 3 users are not: leave their lines out");
  EXPECT_EQ(error_in("user,site\nann,x\nbob,x\nann,x\n"),
            "hr.csv:4: user 'ann' appears twice (first on line 2); keep one");
  EXPECT_EQ(error_in("user,site\n,x\n"), "hr.csv:2: the user is empty");
  EXPECT_EQ(error_in("user\nann\n"),
            "hr.csv:1: only one column, 'user'; the user and at least one attribute are needed (is the delimiter "
            "right?)");
  EXPECT_EQ(error_in("user,site,site\n"), "hr.csv:1: column 'site' appears twice; the first line must be the header");
  EXPECT_EQ(error_in("user,\n"), "hr.csv:1: column 2 has no name");
  EXPECT_EQ(error_in("user,site\n"), "hr.csv: there are no users");
  EXPECT_EQ(error_in(""), "hr.csv: the file is empty; a header line is needed");
}

}  // namespace
}  // namespace motet::attributes_csv_test
