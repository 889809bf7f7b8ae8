#include "motet/app/roles/files.h"

#include <gtest/gtest.h>

#include "app/roles/support.h"
#include "roles/two_roles_case.h"

namespace motet::roles::files_test {
namespace {

class BadAccess : public RolesCommand {
 protected:
  void expect_refused(std::string_view access, const std::string& text, int code = 3, const Words& more = {}) const {
    folder.write("a.csv", access);
    expect_error(joined({"roles", "mine", "@a.csv", "--roles", "2"}, more), code, text);
  }
  void expect_matrix_refused(std::string_view access, const std::string& text, int code = 3) const {
    expect_refused(access, text, code, {"--layout", "matrix"});
  }
};

TEST_F(BadAccess, NoFile) {
  expect_error({"roles", "mine", "@none.csv", "--roles", "2"}, 3,
               "none.csv: cannot be opened: No such file or directory");
}

TEST_F(BadAccess, NothingInTheFile) {
  expect_refused("", "a.csv: the file is empty; a header line is needed");
  expect_matrix_refused("", "a.csv: the file is empty; a header line is needed");
  expect_refused("user,permission\n", "a.csv: there are no users");
  expect_refused("user,permission\nann,\n", "a.csv: no user holds any permission");
}

TEST_F(BadAccess, WrongColumns) {
  expect_refused("who,what\nann,a\n", "a.csv:1: columns 'user' and 'permission' are needed; found 'who', 'what'");
  expect_refused(small_access,
                 "a.csv:1: columns 'user' and 'permission' are needed; found 'user', 'a', 'b', 'c', 'd', 'e'; for one "
                 "column per permission say --layout matrix");
  expect_refused("user,permission,since\nann,a,2020\n",
                 "a.csv:1: column 'since' is neither the user nor the permission; leave it out, or say --other-columns "
                 "ignore");
}

TEST_F(BadAccess, ACellThatIsNeitherZeroNorOne) {
  expect_matrix_refused("user,a,b\nann,1,0\nbob,2,1\n", "a.csv:3: column 'a': '2' is not 0 or 1");
  expect_matrix_refused("user,a,b\nann,1,\n", "a.csv:2: column 'b': an empty field is not 0 or 1");
  expect_matrix_refused("user,permission\nann,a\n",
                        "a.csv:2: column 'permission': 'a' is not 0 or 1; for one permission per line say --layout "
                        "pairs");
}

TEST_F(BadAccess, AUserTwiceInAMatrix) {
  expect_matrix_refused("user,a,b\nann,1,0\nbob,0,1\nann,0,1\n",
                        "a.csv:4: user 'ann' appears twice (first on line 2); keep one");
}

class BadPeople : public BadMine {};

TEST_F(BadPeople, Attributes) {
  folder.write("hr.csv", "user,department\nu98,x\nu99,y\n");
  expect_refused({"--attributes", "@hr.csv"}, 3, "hr.csv: none of its users is in a.csv");
  folder.write("hr.csv", "user,department\nu1,x\nu1,y\n");
  expect_refused({"--attributes", "@hr.csv"}, 3, "hr.csv:3: user 'u1' appears twice (first on line 2); keep one");
  folder.write("hr.csv", "");
  expect_refused({"--attributes", "@hr.csv"}, 3, "hr.csv: the file is empty; a header line is needed");
}

TEST_F(BadPeople, MorePeopleThanUsersAreAWarning) {
  folder.write("hr.csv", "user,department\nu1,x\nu99,y\nu98,z\n");
  const Ran ran = motet(command + Words{"--attributes", "@hr.csv"});
  EXPECT_EQ(ran.code, 0) << ran.err;
  expect_in(ran.out, {"warning: 2 users of hr.csv are not in a.csv: left out\n"});
}

TEST_F(BadPeople, AFirstLineTakenAsDataIsTold) {
  folder.write("b.csv", "ann,read\nann,write\nbob,read\n");
  const Ran ran = motet({"roles", "mine", "@b.csv", "--roles", "1"});
  EXPECT_EQ(ran.code, 0) << ran.err;
  EXPECT_TRUE(ran.out.starts_with("1 role covers 66.7 % of 3 grants, would newly grant 0, 1 stays individual\n"))
      << ran.out;
  expect_in(ran.out, {"warning: b.csv has no header: its first line was taken as data\n"});
}

TEST_F(BadPeople, Exclude) {
  expect_refused({"--exclude", "status=dormant"}, 2, "--exclude: needs --attributes HR.csv, whose columns it names");
  std::string hr = "user,status\n";
  for (int n = 0; n < 10; ++n) hr += "u" + std::to_string(n) + ",active\n";
  folder.write("hr.csv", hr);
  expect_refused({"--attributes", "@hr.csv", "--exclude", "state=dormant"}, 2,
                 "--exclude: the attributes have no column 'state'; they have 'status'");
  expect_refused({"--attributes", "@hr.csv", "--exclude", "status=dormant"}, 2,
                 "--exclude: attribute 'status' is never 'dormant'; it is 'active'");
  expect_refused({"--attributes", "@hr.csv", "--exclude", "dormant"}, 2,
                 "--exclude: 'dormant' is not COLUMN=VALUE, such as status=dormant");
  expect_refused({"--attributes", "@hr.csv", "--exclude", "status=active"}, 2,
                 "--exclude: 'status=active' leaves no users");
}

class BadRoleModel : public RolesCommand {
 protected:
  BadRoleModel() { folder.write("a.csv", small_access); }
  void expect_refused(std::string_view model, const std::string& text) const {
    folder.write("m.json", model);
    for (const Words& words : {Words{"roles", "assign", "@a.csv", "--model", "@m.json", "--assignments", "@s.csv"},
                               {"roles", "evaluate", "@a.csv", "--model", "@m.json"},
                               {"roles", "mine", "@a.csv", "--roles", "2", "--previous", "@m.json"}}) {
      expect_error(words, 3, text);
    }
  }
};

TEST_F(BadRoleModel, OfAnotherKind) {
  expect_refused(R"({"format": "motet-model", "kind": "judges", "version": 1, "fields": {}})",
                 "m.json: holds a 'judges' model; a 'roles' model is needed");
}

TEST_F(BadRoleModel, OfANewerVersion) {
  expect_refused(
      R"({"format": "motet-model", "kind": "roles", "version": 99, "fields": {}})",
      "m.json: 'roles' model of version 99 is newer than this program, which reads 1 to 1; use a newer motet");
}

TEST_F(BadRoleModel, ThatIsNone) {
  expect_refused("", "m.json: not a motet model file");
  expect_refused(small_access, "m.json: not a motet model file");
}

TEST_F(BadRoleModel, WithOtherPermissionsWorksAndIsTold) {
  ASSERT_EQ(motet({"roles", "mine", "@a.csv", "--layout", "matrix", "--roles", "2", "--model", "@m.json"}).code, 0);
  std::string other = small_access;
  for (char& letter : other) {
    if (letter >= 'a' && letter <= 'e') letter = static_cast<char>(letter + 10);
  }
  other.replace(0, 4, "user");
  folder.write("other.csv", other);
  const Ran ran = done({"roles", "mine", "@other.csv", "--layout", "matrix", "--roles", "2", "--previous", "@m.json"});
  EXPECT_NE(ran.out.find("since the previous model: 0 roles the same, 0 changed, 2 appeared, 2 vanished; "
                         "permissions: 5 new, 5 gone\n"),
            std::string::npos)
      << ran.out;
}

class RolesFiles : public RolesCommand {
 protected:
  People people_of(const std::string& exclude = "") const {
    return read_people({folder / "a.csv", {}, folder / "hr.csv", exclude}, {});
  }
  std::vector<std::string> told(const People& people) const {
    std::vector<std::string> warnings;
    for (const std::string& warning : people.warnings) warnings.push_back(folder.without_path(warning));
    return warnings;
  }
};

TEST_F(RolesFiles, PeopleAreThoseThatNoRuleExcludes) {
  folder.write("a.csv", "user,permission\nann,a\nbob,a\ncid,b\ndee,b\neva,a\nbob,a\neva,a\n");
  folder.write("hr.csv", "user,status,site\nann,active,Bern\nbob,dormant,Bern\ncid,dormant,Chur\ndee,active,Chur\n");
  const People all = people_of();
  EXPECT_EQ(told(all), (std::vector<std::string>{"2 lines of a.csv said what an earlier one had said",
                                                 "1 of 5 users have no line in hr.csv: their attributes are unknown"}));
  EXPECT_EQ(all.access.user_count(), 5U);
  const People some = people_of("status=dormant,site=Bern");  // bob by both
  EXPECT_EQ(some.access.users.to_vector(), (std::vector<std::string>{"dee", "eva"}));
  EXPECT_TRUE(some.access.held(0, 1));
  EXPECT_TRUE(some.access.held(1, 0));
  ASSERT_TRUE(some.attributes.has_value());
  EXPECT_EQ(some.attributes->values[1][some.attributes->of(0, 1)], "Chur");
  EXPECT_EQ(some.attributes->of(1, 0), Attributes::missing);
  const std::vector<std::string> warnings = told(some);
  ASSERT_EQ(warnings.size(), 4U);
  EXPECT_EQ(warnings[2], "2 users with status=dormant left out");
  EXPECT_EQ(warnings[3], "2 users with site=Bern left out");
  EXPECT_EQ(told(people_of("status=")).back(), "1 user with status= left out");
}

TEST_F(RolesFiles, WhatIsWrittenOfAModel) {
  RolesCase data = roles_case();
  write_roles_csv(data.fit.model, folder / "r.csv");
  EXPECT_EQ(folder.read("r.csv"),
            "role,permission,probability\n"
            "ledger +2,mail,0.99\nledger +2,pay,0.98\nledger +2,ledger,0.75\n"
            "stock +2,stock,0.98\nstock +2,mail,0.97\nstock +2,truck,0.95\n");
  // Ann has the first role for sure and the second as likely as not.
  data.fit.users.shares[0].probability = 0.5;
  data.fit.users.shares.insert(data.fit.users.shares.begin() + 1, {3, 0.5});
  for (std::size_t& end : data.fit.users.ends) ++end;
  const auto written = [&](double least) {
    const BitMatrix told = told_roles(data.fit.model, data.access.held, nullptr, data.fit.users, least, {});
    write_assignments_csv(data.fit.model, data.fit.users, told, data.access.users, folder / "s.csv");
    return lines_of("s.csv");
  };
  EXPECT_EQ(written(0.5), (std::vector<std::string>{"user,role,probability", "ann,ledger +2,1", "ann,stock +2,0.5",
                                                    "bob,ledger +2,1", "cid,stock +2,1", "dee,stock +2,1",
                                                    "eva,ledger +2,1", "eva,stock +2,1", "fay,,1"}));
  EXPECT_EQ(written(0.75).at(2), "bob,ledger +2,1");
  write_exceptions_csv(data.fit.exceptions, data.access.users, data.fit.model.permissions, folder / "e.csv");
  EXPECT_EQ(folder.read("e.csv"), "user,permission,kind,probability\nfay,truck,extra,0.98\nbob,ledger,missing,0.75\n");
}

TEST_F(RolesFiles, AccessIsReadAsItWasWritten) {
  Access access = roles_case().access;
  access.held.set(5, 4, false);  // fay holds nothing
  write_access_csv(access, AccessLayout::matrix, folder / "m.csv");
  EXPECT_EQ(lines_of("m.csv")[2], "bob,1,1,0,0,0");
  write_access_csv(access, AccessLayout::pairs, folder / "p.csv");
  EXPECT_EQ(lines_of("p.csv").back(), "fay,");
  for (const AccessLayout layout : {AccessLayout::matrix, AccessLayout::pairs}) {
    AccessFileOptions options;
    options.layout = layout;
    const Access again =
        read_access(folder / (layout == AccessLayout::matrix ? "m.csv" : "p.csv"), access_format(options), {}).access;
    EXPECT_EQ(again.users, access.users);
    for (std::size_t n = 0; n < 6; ++n) EXPECT_EQ(again.held.count(n), access.held.count(n)) << n;
  }
}

TEST_F(RolesFiles, AnAttributeThatIsMissingIsAnEmptyField) {
  const Attributes attributes{
      {"site", "status"},
      {NameList(std::vector<std::string>{"Bern", "Chur"}), NameList(std::vector<std::string>{"active"})},
      {1, 0, Attributes::missing, 0, 0, Attributes::missing}};
  write_attributes_csv(attributes, NameList(std::vector<std::string>{"ann", "bob", "cid"}), folder / "hr.csv");
  EXPECT_EQ(folder.read("hr.csv"), "user,site,status\nann,Chur,active\nbob,,active\ncid,Bern,\n");
}

}  // namespace
}  // namespace motet::roles::files_test
