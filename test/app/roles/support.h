// What the tests of `motet roles` share.
#pragma once

#include <string>
#include <vector>

#include "cli/support.h"

namespace motet::roles {

class RolesCommand : public CommandTest {
 protected:
  // The sample that ships with the program: 200 users, six roles, 42 permissions that are held.
  static std::string roles_sample(const std::string& name = "access.csv") {
    return MOTET_TEST_DIR "/../samples/roles/" + name;
  }

  // `motet roles mine` on the sample with few starts, which find its six roles all the same.
  Ran mine(const Words& more, const CancelFlag* cancel = nullptr) const {
    return motet(joined({"roles", "mine", roles_sample(), "--roles", "6", "--starts", "1", "--threads", "1"}, more),
                 cancel);
  }
};

// Two roles, {a, b, c} and {d, e}, four users of each and two of both.
inline const std::string small_access = [] {
  std::string text = "user,a,b,c,d,e\n";
  for (int n = 0; n < 10; ++n) {
    const bool first = n < 4 || n > 7;
    const bool second = n > 3;
    text += "u" + std::to_string(n) + (first ? ",1,1,1" : ",0,0,0") + (second ? ",1,1" : ",0,0") + "\n";
  }
  return text;
}();

// `motet roles mine` asked for two roles of the small table, and refused.
class BadMine : public RolesCommand {
 protected:
  BadMine() {
    folder.write("a.csv", small_access);
    command = {"roles", "mine", "@a.csv", "--layout", "matrix", "--roles", "2"};
  }
};

}  // namespace motet::roles
