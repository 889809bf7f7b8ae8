// Everything a user can do wrong with `motet roles`, with the exact answer.
#include <gtest/gtest.h>

#include "cli/roles_support.h"

namespace motet::roles_bad_input_test {
namespace {

class BadAccess : public RolesCommand {
 protected:
  void expect_refused(std::string_view access, const std::string& text, int code = 3,
                      const std::vector<std::string>& more = {}) const {
    folder.write("a.csv", access);
    std::vector<std::string> words = {"roles", "mine", "@a.csv", "--roles", "2"};
    words.insert(words.end(), more.begin(), more.end());
    expect_error(words, code, text);
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
                 "column a permission say --layout matrix");
  expect_refused("user,permission,since\nann,a,2020\n",
                 "a.csv:1: column 'since' is neither the user nor the permission; leave it out, or say --other-columns "
                 "ignore");
}

TEST_F(BadAccess, ACellThatIsNeitherZeroNorOne) {
  expect_matrix_refused("user,a,b\nann,1,0\nbob,2,1\n", "a.csv:3: column 'a': '2' is not 0 or 1");
  expect_matrix_refused("user,a,b\nann,1,\n", "a.csv:2: column 'b': an empty field is not 0 or 1");
  expect_matrix_refused("user,permission\nann,a\n",
                        "a.csv:2: column 'permission': 'a' is not 0 or 1; for one permission a line say --layout "
                        "pairs");
}

TEST_F(BadAccess, AUserTwiceInAMatrix) {
  expect_matrix_refused("user,a,b\nann,1,0\nbob,0,1\nann,0,1\n",
                        "a.csv:4: user 'ann' appears twice (first on line 2); keep one");
}

TEST_F(BadAccess, MoreRolesThanDistinctUsers) {
  expect_matrix_refused("user,a,b\nann,1,1\nbob,1,1\n",
                        "roles = 2 is more than the 1 distinct users; ask for at most 1", 4);
  folder.write("a.csv", small_access);
  expect_error({"roles", "mine", "@a.csv", "--layout", "matrix", "--roles", "4"}, 4,
               "roles = 4 is more than the 3 distinct users; ask for at most 3");
  expect_error({"roles", "select", "@a.csv", "--layout", "matrix", "--roles", "4..6"}, 4,
               "roles = 4 is more than the 3 distinct users; ask for at most 3");
}

TEST_F(BadAccess, NobodyHoldsAnything) {
  expect_matrix_refused("user,a,b\nann,0,0\nbob,0,0\n", "nobody holds anything; there are no roles to find", 4);
}

TEST_F(BadAccess, MoreRolesThanTheDataSupportAreTold) {
  folder.write("a.csv", small_access);
  const Ran ran = motet({"roles", "mine", "@a.csv", "--layout", "matrix", "--roles", "3", "--max-roles-per-user", "1"});
  ASSERT_EQ(ran.code, 0) << ran.err;  // three kinds of users, each a role of its own
  const Ran more = motet({"roles", "mine", "@a.csv", "--layout", "matrix", "--roles", "3"});
  ASSERT_EQ(more.code, 0) << more.err;
  EXPECT_NE(more.out.find("the data may support fewer roles\n"), std::string::npos) << more.out;
}

TEST_F(BadAccess, TooFewUsersToChooseTheNumber) {
  folder.write("a.csv", "user,permission\nann,a\nbob,b\n");
  expect_error({"roles", "select", "@a.csv", "--roles", "1..2"}, 4,
               "2 users are too few to choose the number of roles; give it with --roles");
}

class BadRolesOptions : public RolesCommand {
 protected:
  BadRolesOptions() { folder.write("a.csv", small_access); }
  void expect_refused(const std::vector<std::string>& more, int code, const std::string& text) const {
    std::vector<std::string> words = {"roles", "mine", "@a.csv", "--layout", "matrix", "--roles", "2"};
    words.insert(words.end(), more.begin(), more.end());
    expect_error(words, code, text);
  }
};

TEST_F(BadRolesOptions, TheNumberOfRoles) {
  expect_error({"roles", "mine", "@a.csv"}, 2, "mine: needs --roles");
  expect_error({"roles", "select", "@a.csv"}, 2, "select: needs --roles");
  expect_error({"roles", "mine", "@a.csv", "--roles", "many"}, 2,
               "roles: 'many' is not a number of roles such as 8, or a range such as 2..12");
  expect_error({"roles", "mine", "@a.csv", "--roles", "0"}, 2,
               "roles: '0' is not a number of roles such as 8, or a range such as 2..12");
  expect_error({"roles", "mine", "@a.csv", "--roles", "9..2"}, 2,
               "roles: '9..2' ends before it begins; write it as 2..9");
  expect_error({"roles", "mine", "@a.csv", "--roles", "2..3", "--method", "asso"}, 2,
               "roles: the range 2..3 works with --method mac or sac only; give one number");
  expect_error({"roles", "mine", "@a.csv", "--roles", "2..3", "--keep", "@keep.csv"}, 2,
               "roles: the range 2..3 does not work with --keep; give the number of new roles");
}

TEST_F(BadRolesOptions, ConstraintsThatContradictEachOther) {
  folder.write("keep.csv", "role,permission\nClerk,a\nClerk,b\n");
  folder.write("never.csv", "permission,permission\nb,a\n");
  expect_refused({"--keep", "@keep.csv", "--never-share-role", "@never.csv"}, 3,
                 "kept role 'Clerk' holds 'a' and 'b', which must never share a role; change the role or leave out the "
                 "pair");
}

TEST_F(BadRolesOptions, ConstraintsOfUnknownThings) {
  folder.write("never.csv", "permission,permission\na,fly\n");
  expect_refused({"--never-share-role", "@never.csv"}, 3, "never.csv:2: permission 'fly' is not in a.csv");
  folder.write("never.csv", "permission,permission\na,a\n");
  expect_refused({"--never-share-role", "@never.csv"}, 3,
                 "never.csv:2: permission 'a' is paired with itself; a pair needs two different permissions");
  folder.write("keep.csv", "role,permission\nClerk,fly\n");
  expect_refused({"--keep", "@keep.csv"}, 3, "keep.csv:2: permission 'fly' is not in a.csv");
  folder.write("keep.csv", "role,permission\nClerk,a\nBoss,b\n");
  folder.write("never.csv", "role,role\nClerk,King\n");
  expect_refused({"--keep", "@keep.csv", "--never-share-user", "@never.csv"}, 3,
                 "never.csv:2: role 'King' is not in keep.csv");
}

TEST_F(BadRolesOptions, ConstraintsThatNeedSomethingElse) {
  folder.write("never.csv", "role,role\nClerk,Boss\n");
  expect_refused({"--never-share-user", "@never.csv"}, 2,
                 "never-share-user: needs --keep ROLES.csv, whose roles it names");
  folder.write("keep.csv", "role,permission\nClerk,a\nBoss,b\n");
  for (const char* method : {"asso", "dbps", "bica", "ino"}) {
    expect_refused({"--keep", "@keep.csv", "--method", method}, 2,
                   "constraints and kept roles work with --method mac or sac only");
  }
  folder.write("never.csv", "permission,permission\na,b\n");
  expect_refused({"--never-share-role", "@never.csv", "--method", "asso"}, 2,
                 "constraints and kept roles work with --method mac or sac only");
}

TEST_F(BadRolesOptions, Attributes) {
  folder.write("hr.csv", "user,department\nu1,x\nu99,y\n");
  expect_refused({"--attributes", "@hr.csv"}, 3, "hr.csv:3: user 'u99' is not in a.csv; leave the line out");
  folder.write("hr.csv", "user,department\nu1,x\nu1,y\n");
  expect_refused({"--attributes", "@hr.csv"}, 3, "hr.csv:3: user 'u1' appears twice (first on line 2); keep one");
  folder.write("hr.csv", "");
  expect_refused({"--attributes", "@hr.csv"}, 3, "hr.csv: the file is empty; a header line is needed");
}

TEST_F(BadRolesOptions, Exclude) {
  expect_refused({"--exclude", "status=dormant"}, 2, "exclude: needs --attributes HR.csv, whose columns it names");
  std::string hr = "user,status\n";
  for (int n = 0; n < 10; ++n) hr += "u" + std::to_string(n) + ",active\n";
  folder.write("hr.csv", hr);
  expect_refused({"--attributes", "@hr.csv", "--exclude", "state=dormant"}, 2,
                 "exclude: the attributes have no column 'state'; they have 'status'");
  expect_refused({"--attributes", "@hr.csv", "--exclude", "status=dormant"}, 2,
                 "exclude: attribute 'status' is never 'dormant'; it is 'active'");
  expect_refused({"--attributes", "@hr.csv", "--exclude", "dormant"}, 2,
                 "exclude: 'dormant' is not COLUMN=VALUE, such as status=dormant");
  expect_refused({"--attributes", "@hr.csv", "--exclude", "status=active"}, 2,
                 "exclude: 'status=active' leaves no users");
}

TEST_F(BadRolesOptions, OutputsThatWouldDestroySomething) {
  expect_refused({"--roles-out", "@a.csv"}, 2, "a.csv: would overwrite an input; choose another name");
  expect_refused({"--checkpoint", "@./a.csv"}, 2, "./a.csv: would overwrite an input; choose another name");
  folder.write("keep.csv", "role,permission\nClerk,a\n");
  expect_refused({"--keep", "@keep.csv", "--roles-out", "@keep.csv"}, 2,
                 "keep.csv: would overwrite an input; choose another name");
  folder.write("m.json", "{}");
  expect_refused({"--previous", "@m.json", "--model", "@m.json"}, 2,
                 "m.json: would overwrite an input; choose another name");
  expect_refused({"--assignments", "@x", "--exceptions", "@./x"}, 2, "./x: is named for two outputs");
  expect_refused({"--assignments", "-", "--exceptions", "-"}, 2,
                 "-: standard output can take only one output; name a file for the other");
  expect_error({"roles", "assign", "@a.csv", "--model", "@keep.csv", "--assignments", "@keep.csv"}, 2,
               "keep.csv: would overwrite an input; choose another name");
  expect_error({"roles", "evaluate", "@a.csv", "--model", "@m.json", "--training", "@keep.csv", "--json", "@keep.csv"},
               2, "keep.csv: would overwrite an input; choose another name");
  expect_error({"roles", "simulate", "--out", "@x", "--truth", "@x"}, 2, "x: is named for two outputs");
  EXPECT_EQ(folder.read("a.csv"), small_access);
}

TEST_F(BadRolesOptions, AFullDisk) {
  for (const char* option : {"--json", "--report", "--model", "--roles-out", "--assignments", "--exceptions"}) {
    expect_refused({option, "/dev/full"}, 5, "/dev/full: cannot be written: No space left on device");
  }
  for (const char* option : {"--out", "--truth", "--assignments"}) {
    expect_error({"roles", "simulate", "--out", "@x.csv", option, "/dev/full"}, option == std::string("--out") ? 2 : 5,
                 option == std::string("--out") ? "--out is given more than once; see motet roles simulate --help"
                                                : "/dev/full: cannot be written: No space left on device");
  }
}

TEST_F(BadRolesOptions, WhatIsMissing) {
  expect_error({"roles", "assign", "@a.csv"}, 2, "assign: needs --model and --assignments");
  expect_error({"roles", "evaluate", "@a.csv"}, 2, "evaluate: needs --model");
  expect_refused({"--resume"}, 2, "resume: needs --checkpoint FILE");
}

class BadRoleModel : public RolesCommand {
 protected:
  BadRoleModel() { folder.write("a.csv", small_access); }
  void expect_refused(std::string_view model, const std::string& text) const {
    folder.write("m.json", model);
    for (const std::vector<std::string>& words :
         {std::vector<std::string>{"roles", "assign", "@a.csv", "--model", "@m.json", "--assignments", "@s.csv"},
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
  const Ran ran = motet({"roles", "mine", "@other.csv", "--layout", "matrix", "--roles", "2", "--previous", "@m.json"});
  ASSERT_EQ(ran.code, 0) << ran.err;
  EXPECT_NE(ran.out.find("since the previous model: 0 roles the same, 0 changed, 2 appeared, 2 vanished; "
                         "permissions: 5 new, 5 gone\n"),
            std::string::npos)
      << ran.out;
}

}  // namespace
}  // namespace motet::roles_bad_input_test
