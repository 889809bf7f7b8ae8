#include "motet/io/permission_columns.h"

#include "io/support.h"

namespace motet::permission_columns_test {
namespace {

using Names = std::vector<std::string>;

const FileReader columns_in{
    "perms.csv", [](const std::string& path) {
      const Names known = {"read", "write", "fly"};
      return read_permission_columns(path, ',', {NameTable(NameList(known)), "permission", "access.csv"});
    }};

TEST(PermissionColumns, RiskAndWhatComesAlong) {
  const PermissionColumns columns = columns_in("owner,Permission,Risk\nann,write,5\n,read,\nbob,swim,2\n");
  EXPECT_EQ(columns.names, (Names{"owner", "Risk"}));
  EXPECT_EQ(columns.values, (std::vector<Names>{{"", ""}, {"ann", "5"}, {"", ""}}));
  EXPECT_EQ(columns.risk, (std::vector<double>{1, 5, 1}));
  EXPECT_EQ(columns.strangers, 1U);
  EXPECT_TRUE(columns_in("permission,owner\nread,ann\n").risk.empty());
}

TEST(PermissionColumns, Errors) {
  columns_in.expect_errors(
      {{"owner,risk\nann,1\n", "perms.csv:1: a column 'permission' is needed; found 'owner', 'risk'"},
       {"permission,risk\nread,high\n", "perms.csv:2: column 'risk': 'high' is not a number from 0 to 1000000"},
       {"permission,risk\nread,-1\n", "perms.csv:2: column 'risk': '-1' is not a number from 0 to 1000000"},
       {"permission,risk\nread,1\nread,2\n",
        "perms.csv:3: permission 'read' appears twice (first on line 2); keep one"},
       {"permission,risk\n,1\n", "perms.csv:2: the permission is empty"}});
}

}  // namespace
}  // namespace motet::permission_columns_test
