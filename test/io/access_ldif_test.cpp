#include "motet/io/access_ldif.h"

#include "io/holdings.h"
#include "io/support.h"

namespace motet::access_ldif_test {
namespace {

const FileReader ldif_in{"d.ldif", [](const std::string& path, const std::string& user_column = "") {
                           AccessFormat format;
                           format.user_column = user_column;
                           const AccessPairs pairs = read_ldif(path, format, {});
                           return told(pairs, " has ", "; ") + std::to_string(pairs.users.names().size()) + " users";
                         }};

constexpr const char* users =
    "version: 1\n"
    "# two people and a printer\n"
    "dn: CN=Ann,DC=x\n"
    "objectClass: user\n"
    "sAMAccountName: ann\n"
    "memberOf: CN=Read,DC=x\n"
    "memberOf: CN=A very long name,\n"
    " DC=x\n"
    "\n"
    "dn:: Q049QsO2YixEQz14\n"
    "objectclass: top\n"
    "objectclass: inetOrgPerson\n"
    "\n"
    "\n"
    "dn: CN=Printer,DC=x\n"
    "objectClass: device\n";

TEST(Ldif, EntriesWithMemberOf) {
  EXPECT_EQ(ldif_in(users), "CN=Ann,DC=x has CN=Read,DC=x; CN=Ann,DC=x has CN=A very long name,DC=x; 2 users");
  EXPECT_EQ(ldif_in(users, "samaccountname"), "ann has CN=Read,DC=x; ann has CN=A very long name,DC=x; 2 users");
}

TEST(Ldif, Errors) {
  ldif_in.expect_errors(
      {{"dn: a\nmember\n", "d.ldif:2: this is no line of LDIF, which is 'attribute: value'"},
       {"dn: a\ncn:: a*b\n", "d.ldif:2: the value of 'cn' is not base64"},
       {"dn: a\ncn: x\ndn: b\n", "d.ldif:3: a second dn in one entry; a blank line must stand between entries"},
       {"cn: a\n", "d.ldif:1: an entry must begin with its dn"},
       {"dn:\n", "d.ldif:1: the dn is empty"}});
}

TEST(Ldif, GroupsWithMembers) {
  const std::string groups =
      "dn: CN=Ann,DC=x\nuid: ann\nobjectClass: person\n\n"
      "dn: CN=Read,DC=x\nobjectClass: groupOfNames\nmember: cn=ann,dc=x\nmember: CN=Bob,DC=x\nmember: CN=All,DC=x\n\n"
      "dn: CN=All,DC=x\nmemberUid: ann\nmemberUid: cid\nmemberOf: CN=Read,DC=x\n";
  // A group within a group is no user; a name in other capitals is the same.
  EXPECT_EQ(ldif_in(groups, "uid"),
            "ann has CN=Read,DC=x; CN=Bob,DC=x has CN=Read,DC=x; ann has CN=All,DC=x; cid has CN=All,DC=x; 3 users");
}

}  // namespace
}  // namespace motet::access_ldif_test
