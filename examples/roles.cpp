// Who may do what in a small office: two roles, a clerk with both, and one permission too many.
#include <motet/roles.h>

#include <cstdio>
#include <string>
#include <vector>

int main() {
  namespace roles = motet::roles;
  std::vector<roles::NamedGrant> grants;
  for (int n = 1; n <= 30; ++n) {
    const std::string user = "user" + std::to_string(n);
    if (n <= 20) {
      for (const char* permission : {"read mail", "write mail", "calendar"}) grants.push_back({user, permission});
    }
    if (n > 15) {
      for (const char* permission : {"ledger", "invoices", "payments"}) grants.push_back({user, permission});
    }
  }
  grants.push_back({"user3", "payments"});
  const roles::Access access = roles::access_from(grants);

  const roles::Mined found = roles::mine(access, 2);
  for (const roles::Role& role : found.roles) {
    std::printf("a role of %zu users:", role.members);
    for (const std::uint32_t permission : role.permissions)
      std::printf(" [%s]", access.permissions[permission].c_str());
    std::printf("\n");
  }
  for (const roles::Exception& one : found.exceptions) {
    std::printf("%s %s '%s'\n", access.users[one.user].c_str(), one.is_extra ? "should not have" : "lacks",
                access.permissions[one.permission].c_str());
  }
  std::printf("user18 has %zu roles\n", found.assignments.sets[17].size());
}
