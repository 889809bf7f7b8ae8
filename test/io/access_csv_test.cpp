#include "motet/io/access_csv.h"

#include <zlib.h>

#include "io/support.h"
#include "motet/base/rng.h"
#include "support/cancelled.h"
#include "support/errors.h"

namespace motet::access_csv_test {
namespace {

using Names = std::vector<std::string>;

constexpr AccessFormat pairs;
constexpr AccessFormat matrix = {.layout = AccessLayout::matrix};
constexpr AccessFormat partly_known = {.layout = AccessLayout::matrix, .allow_unknown = true};

const FileReader access_in{"access.csv", [](const std::string& path, const AccessFormat& format = pairs) {
                             return read_access(path, format, {});
                           }};

// "ann: read write" for every user
Names listed(const Access& access) {
  Names list;
  for (std::size_t n = 0; n < access.user_count(); ++n) {
    list.push_back(std::string(access.users[n]) + ":");
    for_each_bit(access.held.row(n), [&](std::size_t d) { list.back() += " " + std::string(access.permissions[d]); });
  }
  return list;
}

TEST(ReadAccessPairs, OneHoldingALine) {
  const AccessFile file = access_in("user,permission\nbob,write\nann,read\nbob,read\n");
  EXPECT_EQ(file.access.users.to_vector(), (Names{"bob", "ann"}));
  EXPECT_EQ(file.access.permissions.to_vector(), (Names{"write", "read"}));
  EXPECT_EQ(listed(file.access), (Names{"bob: write read", "ann: read"}));
  EXPECT_EQ(file.known.rows(), 0U);
  EXPECT_EQ(file.repeated_pairs, 0U);
}

TEST(ReadAccessPairs, RepeatedLinesAreCounted) {
  const AccessFile file = access_in("user,permission\na,x\na,x\nb,x\na,x\nb,\nb,\n");
  EXPECT_EQ(listed(file.access), (Names{"a: x", "b: x"}));
  EXPECT_EQ(file.repeated_pairs, 2U);
}

TEST(ReadAccessPairs, UserWithoutPermissions) {
  const AccessFile file = access_in("user,permission\nann,\nbob,read\n");
  EXPECT_EQ(listed(file.access), (Names{"ann:", "bob: read"}));
}

TEST(ReadAccessPairs, NamesOfTheColumns) {
  const Names expected = {"ann: read"};
  for (const std::string user : {"user", "User", "account", "identity", "EMPLOYEE"}) {
    for (const std::string permission : {"permission", "Permission", "entitlement", "right", "group"}) {
      EXPECT_EQ(listed(access_in(user + "," + permission + "\nann,read\n").access), expected);
      EXPECT_EQ(listed(access_in(permission + "," + user + "\nread,ann\n").access), expected);
    }
  }
  const AccessFormat ignoring = {.delimiter = ';', .other_columns = OtherColumns::ignore};
  EXPECT_EQ(listed(access_in("since;account;permission;user;since\n1;x;read;ann;2\n", ignoring).access), expected);
}

TEST(ReadAccessPairs, WhatEveryTableMayHave) {
  const Names expected = {"ann, of \"IT\": read", "b\nob: read"};
  EXPECT_EQ(
      listed(access_in("\xEF\xBB\xBFuser,permission\r\n\"ann, of \"\"IT\"\"\",read\r\n\r\n\"b\nob\",read").access),
      expected);
  EXPECT_EQ(listed(access_in("user\tpermission\n\u00e9\t 1\n", AccessFormat{.delimiter = '\t'}).access),
            (Names{"\u00e9:  1"}));
  const TemporaryFolder folder;
  const std::string path = folder / "access.csv.gz";
  gzFile packed = gzopen(path.c_str(), "wb");
  gzputs(packed, "user,permission\nann,read\n");
  gzclose(packed);
  EXPECT_EQ(listed(read_access(path, pairs, {}).access), (Names{"ann: read"}));
}

TEST(ReadAccessPairs, ErrorsInTheHeader) {
  access_in.expect_errors(
      {{"", "access.csv: the file is empty; a header line is needed"},
       {"a,b\nann,read\n", "access.csv:1: columns 'user' and 'permission' are needed; found 'a', 'b'"},
       {"17,4\n18,5\n",
        "access.csv:1: columns 'user' and 'permission' are needed; found '17', '4'; the first line must be the "
        "header"},
       {"user;permission\nann;read\n",
        "access.csv:1: columns 'user' and 'permission' are needed; found 'user;permission' (is the delimiter "
        "right?)"},
       {"user,read,write\nann,0,1\n",
        "access.csv:1: columns 'user' and 'permission' are needed; found 'user', 'read', 'write'; for one column "
        "per permission say --layout matrix"},
       {"user,permission,since\nann,read,1999\n",
        "access.csv:1: column 'since' is neither the user nor the permission; leave it out, or say "
        "--other-columns ignore"},
       {"user,account,permission,since\n",
        "access.csv:1: columns 'account', 'since' are neither the user nor the permission; leave them out, or say "
        "--other-columns ignore"},
       {"user,User,permission\n", "access.csv:1: column 'user' appears twice"},
       {"user,permission,permission\n", "access.csv:1: column 'permission' appears twice"}});
}

TEST(ReadAccessPairs, ColumnsByName) {
  AccessFormat format;
  format.user_column = "badge";
  const std::string text = "user,Badge,since,right\nann,17,1999,read\nbob,18,2001,read\n";
  EXPECT_EQ(listed(access_in(text, format).access), (Names{"17: read", "18: read"}));
  format.permission_column = "since";
  EXPECT_EQ(listed(access_in(text, format).access), (Names{"17: 1999", "18: 2001"}));
  format.permission_column = "group";
  EXPECT_EQ(access_in.error(text, format),
            "access.csv:1: columns 'badge' and 'group' are needed; found 'user', 'Badge', 'since', 'right'; for one "
            "column per permission say --layout matrix");
}

TEST(ReadAccessPairs, WithoutAHeader) {
  const AccessFile file = access_in("ann,read\nbob,write\nann,write\n");
  EXPECT_EQ(listed(file.access), (Names{"ann: read write", "bob: write"}));
  EXPECT_TRUE(file.first_line_is_data);
  EXPECT_FALSE(access_in("user,permission\nann,read\n").first_line_is_data);
  AccessFormat said;
  said.no_header = true;
  const AccessFile told = access_in("a,b\nann,read\n", said);
  EXPECT_EQ(listed(told.access), (Names{"a: b", "ann: read"}));
  EXPECT_FALSE(told.first_line_is_data);
  EXPECT_EQ(access_in.error("a,b,c\n", said),
            "access.csv:1: without a header two columns are needed, the user and the permission; there are 3");
  EXPECT_EQ(access_in.error("a\n", said),
            "access.csv:1: without a header two columns are needed, the user and the permission; there is 1");
  EXPECT_EQ(access_in.error(",b\n", said), "access.csv:1: the user is empty");
}

TEST(ReadAccessPairs, SeveralPermissionsInAField) {
  AccessFormat format;
  format.separator = "; ";
  EXPECT_EQ(
      listed(access_in("sAMAccountName,memberOf\nann,read; write;  fly\nbob,\ncid,read\nann,read\n", format).access),
      (Names{"ann: read write fly", "bob:", "cid: read"}));
}

TEST(ReadAccess, OtherLayouts) {
  const AccessFormat spaced = {.layout = AccessLayout::spaced};
  EXPECT_EQ(listed(access_in("  1  2\n 1 3\n", spaced).access), (Names{"1: 2 3"}));
  const AccessFormat ldif = {.layout = AccessLayout::ldif};
  EXPECT_EQ(listed(access_in("dn: ann\nmemberOf: read\n", ldif).access), (Names{"ann: read"}));
  EXPECT_EQ(access_in.error("", spaced), "access.csv: there are no users");
}

TEST(ReadAccessPairs, ErrorsInRows) {
  access_in.expect_errors({{"user,permission\nann,read\n,read\n", "access.csv:3: the user is empty"},
                           {"user,permission\nann,read\n\nbob\n", "access.csv:4: 1 field where the header has 2"},
                           {"user,permission\n", "access.csv: there are no users"},
                           {"user,permission\nann,\n", "access.csv: no user holds any permission"}});
}

TEST(ReadAccessPairs, UsersOfAModelNeedHoldNothing) {
  const AccessFile file = access_in("user,permission\nann,\n", AccessFormat{.allow_unknown = true});
  EXPECT_EQ(file.access.users.to_vector(), Names{"ann"});
  EXPECT_EQ(file.access.held, BitMatrix(1, 0));
}

TEST(ReadAccessPairs, TooLargeATableIsRefused) {
  const TemporaryFolder folder;
  std::string text = "user,permission\n";
  for (int i = 0; i < 300'000; ++i) text += "u" + std::to_string(i) + ",p" + std::to_string(i) + "\n";
  folder.write("access.csv", text);
  EXPECT_EQ(folder.error_of([&] { read_access(folder / "access.csv", pairs, {}); }, ErrorKind::machine_limit),
            "access.csv: 300000 users and 300000 permissions make a table of 11.3 GB; 8 GB is the limit; leave out "
            "permissions that hardly anybody holds");
}

// Several batches, growing tables, names short and long, lines in any order.
TEST(ReadAccessPairs, ManyHoldingsInAnyOrder) {
  constexpr std::size_t user_count = 3000;
  constexpr std::size_t permission_count = 700;
  Rng rng(Seed{1});
  BitMatrix expected(user_count, permission_count);
  std::string text = "user,permission\n";
  const auto user_name = [](std::size_t n) { return (n % 2 == 0 ? "somebody called " : "u") + std::to_string(n); };
  std::size_t repeated = 0;
  for (int i = 0; i < 50'000; ++i) {
    const std::size_t user = rng.below(user_count);
    const std::size_t permission = rng.below(permission_count);
    repeated += expected(user, permission) ? 1 : 0;
    expected.set(user, permission);
    text += user_name(user) + ",p" + std::to_string(permission) + "\n";
  }
  const AccessFile file = access_in(text);
  EXPECT_EQ(file.repeated_pairs, repeated);
  EXPECT_EQ(file.access.held.count(), expected.count());
  const NameTable users(file.access.users);
  for (std::size_t n = 0; n < user_count; ++n) {
    const std::uint32_t user = users.find(user_name(n));
    ASSERT_NE(user, NameTable::absent);
    for_each_bit(file.access.held.row(user), [&](std::size_t d) {
      EXPECT_TRUE(expected(n, std::stoul(std::string(file.access.permissions[d].substr(1)))));
    });
  }
}

TEST(ReadAccessMatrix, OneColumnAPermission) {
  const AccessFile file = access_in("name,read,write,fly\nann,1,0,0\nbob,0,0,0\n", matrix);
  EXPECT_EQ(file.access.permissions.to_vector(), (Names{"read", "write", "fly"}));
  EXPECT_EQ(listed(file.access), (Names{"ann: read", "bob:"}));
  EXPECT_EQ(file.known.rows(), 0U);
  EXPECT_EQ(listed(access_in(",0,1\nx,0,1\n", matrix).access), Names{"x: 1"});
  EXPECT_EQ(listed(access_in("user;7\nx;1\n", AccessFormat{.layout = AccessLayout::matrix, .delimiter = ';'}).access),
            Names{"x: 7"});
}

TEST(ReadAccessMatrix, SizesAroundAWord) {
  for (const std::size_t columns : {1, 63, 64, 65, 128, 900}) {
    Rng rng(Seed{columns});
    std::string text = "user";
    for (std::size_t d = 0; d < columns; ++d) text += ",p" + std::to_string(d);
    BitMatrix expected(5, columns);
    for (std::size_t n = 0; n < 5; ++n) {
      text += "\nu" + std::to_string(n);
      for (std::size_t d = 0; d < columns; ++d) {
        expected.set(n, d, rng.below(2) == 1);
        text += expected(n, d) ? ",1" : ",0";
      }
    }
    EXPECT_EQ(access_in(text, matrix).access.held, expected) << columns;
  }
}

TEST(ReadAccessMatrix, UnknownCells) {
  const AccessFile file = access_in("user,read,write\nann,1,?\nbob,,0\n", partly_known);
  EXPECT_EQ(listed(file.access), (Names{"ann: read", "bob:"}));
  ASSERT_EQ(file.known.rows(), 2U);
  EXPECT_TRUE(file.known(0, 0));
  EXPECT_FALSE(file.known(0, 1));
  EXPECT_FALSE(file.known(1, 0));
  EXPECT_TRUE(file.known(1, 1));
  EXPECT_EQ(access_in("user,read\nann,1\n", partly_known).known.rows(), 0U);
}

TEST(ReadAccessMatrix, ErrorsInTheHeader) {
  EXPECT_EQ(access_in.error("user;read\nann;1\n", matrix),
            "access.csv:1: only one column, 'user;read'; a matrix needs the user and at least one permission (is the "
            "delimiter right?)");
  EXPECT_EQ(access_in.error("user,read,write,read\n", matrix),
            "access.csv:1: column 'read' appears twice; the first line must be the header");
  EXPECT_EQ(access_in.error("user,read,\n", matrix), "access.csv:1: column 3 has no name");
  EXPECT_EQ(access_in.error("ann,0,1\nbob,1,1\n", matrix),
            "access.csv:1: found 'ann', '0', '1'; the first line must be the header");
  EXPECT_EQ(access_in.error("17,0,1\n", matrix),
            "access.csv:1: found '17', '0', '1'; the first line must be the header");
}

TEST(ReadAccessMatrix, ErrorsInRows) {
  EXPECT_EQ(access_in.error("user,read,write\nann,1,0\nbob,0,2\n", matrix),
            "access.csv:3: column 'write': '2' is not 0 or 1");
  EXPECT_EQ(access_in.error("user,read\nann,1.0\n", matrix), "access.csv:2: column 'read': '1.0' is not 0 or 1");
  EXPECT_EQ(access_in.error("user,read\nann,\n", matrix), "access.csv:2: column 'read': an empty field is not 0 or 1");
  EXPECT_EQ(access_in.error("user,read\nann,?\n", matrix), "access.csv:2: column 'read': '?' is not 0 or 1");
  EXPECT_EQ(access_in.error("user,read\nann,yes\n", partly_known),
            "access.csv:2: column 'read': 'yes' is not 0, 1, ? or empty");
  EXPECT_EQ(access_in.error("user,permission\nann,read\n", matrix),
            "access.csv:2: column 'permission': 'read' is not 0 or 1; for one permission per line say --layout pairs");
  EXPECT_EQ(access_in.error("user,read\n,1\n", matrix), "access.csv:2: the user is empty");
  EXPECT_EQ(access_in.error("user,read\nann,1\n\nbob,1\nann,0\n", matrix),
            "access.csv:5: user 'ann' appears twice (first on line 2); keep one");
  EXPECT_EQ(access_in.error("user,read\n", matrix), "access.csv: there are no users");
}

TEST(ReadAccess, BothLayoutsSayTheSame) {
  const Access of_pairs = access_in("user,permission\nann,read\nann,write\nbob,write\ncid,\n").access;
  const Access of_matrix = access_in("user,read,write\nann,1,1\nbob,0,1\ncid,0,0\n", matrix).access;
  EXPECT_EQ(of_pairs.users, of_matrix.users);
  EXPECT_EQ(of_pairs.permissions, of_matrix.permissions);
  EXPECT_EQ(of_pairs.held, of_matrix.held);
}

TEST(ReadAccess, StopsWhenAsked) {
  const TemporaryFolder folder;
  folder.write("access.csv", "user,permission\nann,read\n");
  EXPECT_EQ(
      folder.error_of([&] { read_access(folder / "access.csv", pairs, cancelled_run()); }, ErrorKind::interrupted),
      "interrupted while reading access.csv");
}

TEST(ReadAccess, AFileThatIsNotThere) {
  const TemporaryFolder folder;
  EXPECT_EQ(folder.error_of([&] { read_access(folder / "none.csv", pairs, {}); }),
            "none.csv: cannot be opened: No such file or directory");
}

}  // namespace
}  // namespace motet::access_csv_test
