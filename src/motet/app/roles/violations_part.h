// Pairs that must not come together and do, told.
#pragma once

#include <string>
#include <vector>

#include "motet/data/names.h"
#include "motet/report/document.h"
#include "motet/roles/catalogue/violations.h"

namespace motet::roles {

struct Violations {
  std::vector<UserViolation> users = {};
  std::vector<RoleViolation> roles = {};

  bool is_none() const { return users.empty() && roles.empty(); }
};

struct ViolationNames {
  const NameList& users;
  const NameList& permissions;
  const std::vector<std::string>& roles;
};

// A violation in words: the user, the kind, the pair, and through what the user has each.
struct ViolationText {
  std::string user;
  std::string kind;
  std::string first;
  std::string second;
  std::string first_through;
  std::string second_through;
};
ViolationText violation_text(const UserViolation& violation, const ViolationNames& names);

// A sentence, tables and a section; none of them where nothing is violated. JSON: `users` and `roles`.
Document violations_part(const Violations& violations, const ViolationNames& names);

// --violations.
void write_violations_csv(const std::vector<UserViolation>& violations, const ViolationNames& names,
                          const std::string& path);

}  // namespace motet::roles
