#include "motet/io/roles_csv.h"

#include <sstream>

#include "io/support.h"

namespace motet::roles_csv_test {
namespace {

using Names = std::vector<std::string>;
using Pairs = std::vector<std::pair<std::uint32_t, std::uint32_t>>;

const Names permissions = {"write", "approve", "read", "fly"};

KnownNames known_permissions() { return {NameTable(NameList(permissions)), "permission", "access.csv"}; }

const FileReader roles_in{"roles.csv", [](const std::string& path, char delimiter = ',') {
                            return read_roles(path, delimiter, known_permissions());
                          }};

const FileReader pairs_in{
    "sod.csv", [](const std::string& path, char delimiter = ',', const KnownNames& known = known_permissions()) {
      return read_name_pairs(path, delimiter, known);
    }};

// "clerk: write read" for every role
Names listed(const NamedRoles& roles) {
  Names list;
  for (std::size_t k = 0; k < roles.names.size(); ++k) {
    list.push_back(roles.names[k] + ":");
    for_each_bit(roles.permissions.row(k), [&](std::size_t d) { list.back() += " " + permissions[d]; });
  }
  return list;
}

template <class Write>
std::string written(const Write& write, char delimiter = ',') {
  std::ostringstream out;
  CsvWriter csv(out, delimiter);
  write(csv);
  csv.finish();
  return out.str();
}

TEST(WriteRoles, MostProbableFirstThenByName) {
  const Names roles = {"clerk", "idle, for now", "chief"};
  const std::vector<double> absence = {0.0, 0.5,  0.25, 0.0,  // 1/2 is not granted
                                       0.9, 0.75, 1.0,  0.5,  //
                                       1.0, 0.0,  0.0,  0.125};
  const std::string text = written([&](CsvWriter& csv) { write_roles(csv, roles, permissions, absence); });
  EXPECT_EQ(text,
            "role,permission,probability\n"
            "clerk,fly,1\nclerk,write,1\nclerk,read,0.75\n"
            "\"idle, for now\",,\n"
            "chief,approve,1\nchief,read,1\nchief,fly,0.875\n");
}

TEST(WriteRoles, AreReadBack) {
  const Names roles = {"a \"b\" c", "none", "d\ne"};
  const std::vector<double> absence = {0.1, 0.6, 0.5, 0.49999999999999994, 1, 1, 1, 1, 0.3, 0, 0.7, 0};
  const TemporaryFolder folder;
  AtomicFile file(folder / "roles.csv");
  CsvWriter csv(file, ';');
  write_roles(csv, roles, permissions, absence);
  csv.finish();
  file.commit();
  const NamedRoles again = read_roles(folder / "roles.csv", ';', known_permissions());
  EXPECT_EQ(listed(again), (Names{"a \"b\" c: write fly", "none:", "d\ne: write approve fly"}));
}

TEST(WriteAssignments, MostProbableFirst) {
  const Names roles = {"clerk", "chief", "pilot"};
  const std::vector<double> several = {0.5, 0.25, 0.75};
  const std::vector<double> equal = {0.75, 0.75, 0.0};
  const std::vector<double> none = {0.25, 0.125, 0.0};
  const std::string text = written([&](CsvWriter& csv) {
    write_assignments_header(csv);
    write_assignments(csv, roles, {"ann", std::vector<std::uint32_t>{0, 2}, several, 0.0});
    write_assignments(csv, roles, {"bob", std::vector<std::uint32_t>{0, 1}, equal, 0.0});
    write_assignments(csv, roles, {"cid", {}, none, 0.625});
    write_assignments(csv, roles, {"dan", std::vector<std::uint32_t>{0, 1}, none, 0.625});
  });
  EXPECT_EQ(text,
            "user,role,probability\n"
            "ann,pilot,0.75\nann,clerk,0.5\n"
            "bob,clerk,0.75\nbob,chief,0.75\n"
            "cid,,0.625\n"
            "dan,clerk,0.25\ndan,chief,0.125\n");
}

TEST(WriteExceptions, OneALine) {
  const std::string text = written([&](CsvWriter& csv) {
    write_exceptions_header(csv);
    write_exception(csv, "ann", "fly", "extra", 0.9375);
    write_exception(csv, "b,ob", "read", "missing", 0.75);
  });
  EXPECT_EQ(text, "user,permission,kind,probability\nann,fly,extra,0.9375\n\"b,ob\",read,missing,0.75\n");
}

TEST(ReadRoles, WithAndWithoutProbabilities) {
  EXPECT_EQ(listed(roles_in("permission,note,role\nread,,clerk\nfly,,pilot\nwrite,,clerk\nread,,clerk\n")),
            (Names{"clerk: write read", "pilot: fly"}));
  EXPECT_EQ(listed(roles_in("role;permission;probability\na;read;0.5\na;fly;0.49\nb;fly;0\nb;write;\nc;;\n", ';')),
            (Names{"a: read", "b: write", "c:"}));
}

TEST(ReadRoles, Errors) {
  roles_in.expect_errors(
      {{"role,right\nclerk,read\n", "roles.csv:1: columns 'role' and 'permission' are needed; found 'role', 'right'"},
       {"role,permission,role\n", "roles.csv:1: column 'role' appears twice"},
       {"role,permission\nclerk,read\n\nclerk,swim\n", "roles.csv:4: permission 'swim' is not in access.csv"},
       {"role,permission,probability\nclerk,swim,0.1\n", "roles.csv:2: permission 'swim' is not in access.csv"},
       {"role,permission\n,read\n", "roles.csv:2: the role is empty"}});
  for (const std::string text : {"high", "nan", "-0.1", "1.5"}) {
    EXPECT_EQ(roles_in.error("role,permission,probability\nclerk,read," + text + "\n"),
              "roles.csv:2: column 'probability': '" + text + "' is not a number from 0 to 1");
  }
  EXPECT_EQ(roles_in.error("role,permission\n"), "roles.csv: there are no roles");
  EXPECT_EQ(roles_in.error(""), "roles.csv: the file is empty; a header line is needed");
}

TEST(ReadRoles, OfACatalogueMayGrantWhatNobodyHolds) {
  TemporaryFolder folder;
  folder.write("k.csv", "role,permission\nclerk,read\nclerk,swim\npilot,fly\n");
  NameTable known{NameList(permissions)};
  const NamedRoles roles = read_roles(folder / "k.csv", ',', known);
  EXPECT_EQ(known.names().size(), 5U);
  EXPECT_EQ(known.names()[4], "swim");
  EXPECT_EQ(roles.permissions.columns(), 5U);
  EXPECT_TRUE(roles.permissions(0, 2) && roles.permissions(0, 4) && roles.permissions(1, 3));
  EXPECT_EQ(roles.permissions.count(), 3U);
}

const FileReader assignments_in{
    "assign.csv", [](const std::string& path, char delimiter = ',') {
      const Names roles = {"clerk", "chief"};
      return read_assignments(path, delimiter, {NameTable(NameList(roles)), "role", "roles.csv"});
    }};

TEST(ReadAssignments, WhatWriteAssignmentsWrites) {
  const NamedAssignments read =
      assignments_in("user,role,probability\nbob,chief,0.75\nbob,clerk,0.25\nann,,1\ncid,clerk,1\ncid,chief,1\n");
  EXPECT_EQ(read.users.to_vector(), (Names{"bob", "ann", "cid"}));
  EXPECT_EQ(read.roles.count(), 3U);
  EXPECT_TRUE(read.roles(0, 1) && read.roles(2, 0) && read.roles(2, 1));
}

TEST(ReadAssignments, Errors) {
  assignments_in.expect_errors(
      {{"user,roll\n", "assign.csv:1: columns 'user' and 'role' are needed; found 'user', 'roll'"},
       {"user,role,user\n", "assign.csv:1: column 'user' appears twice"},
       {"user,role\nann,boss\n", "assign.csv:2: role 'boss' is not in roles.csv"},
       {"user,role\n,clerk\n", "assign.csv:2: the user is empty"},
       {"user,role\n", "assign.csv: there are no users"},
       {"user,role,probability\nann,clerk,high\n",
        "assign.csv:2: column 'probability': 'high' is not a number from 0 to 1"}});
}

TEST(ReadNamePairs, LowerNumberFirstAndNoneTwice) {
  EXPECT_EQ(pairs_in("permission,permission\nread,write\nwrite,approve\nwrite,read\n"), (Pairs{{0, 2}, {0, 1}}));
  EXPECT_EQ(pairs_in("this;that\nread;fly\n", ';'), (Pairs{{2, 3}}));
}

TEST(ReadNamePairs, Errors) {
  pairs_in.expect_errors(
      {{"a,b\nread,write\nread,swim\n", "sod.csv:3: permission 'swim' is not in access.csv"},
       {"a,b\nswim,read\n", "sod.csv:2: permission 'swim' is not in access.csv"},
       {"a,b\nread,\n", "sod.csv:2: the permission is empty"},
       {"a,b\nread,read\n",
        "sod.csv:2: permission 'read' is paired with itself; a pair needs two different permissions"},
       {"read,write\nread,fly\n", "sod.csv:1: found 'read', 'write'; the first line must be the header"},
       {"a,b,c\n", "sod.csv:1: two columns are needed, a permission in each; found 'a', 'b', 'c'"},
       {"a;b\nread;write\n",
        "sod.csv:1: two columns are needed, a permission in each; found 'a;b' (is the delimiter right?)"},
       {"a,b\n", "sod.csv: there are no pairs"}});
  const KnownNames roles = {NameTable(NameList(Names{"clerk", "chief"})), "role", "roles.csv"};
  EXPECT_EQ(pairs_in.error("role,role\nclerk,boss\n", ',', roles), "sod.csv:2: role 'boss' is not in roles.csv");
  EXPECT_EQ(pairs_in.error("role,role\nchief,chief\n", ',', roles),
            "sod.csv:2: role 'chief' is paired with itself; a pair needs two different roles");
}

}  // namespace
}  // namespace motet::roles_csv_test
