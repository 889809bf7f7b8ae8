// Users assigned to roles that are at hand, told once.
#pragma once

#include "motet/report/document.h"
#include "motet/roles/role_summary.h"

namespace motet::roles {

struct AssignReport {
  std::string source = {};  // file the access data came from
  std::size_t users = 0;
  std::vector<std::string> roles = {};                // of the model
  MemberCount count = {};                             // of those users
  ExceptionCount exceptions = {};                     // to those roles
  std::vector<std::string> unknown_permissions = {};  // in the data, not in the model: left out
  std::size_t absent_permissions = 0;                 // in the model, held by nobody here
  std::vector<std::string> warnings = {};
  Document estimates = {};  // users_part, or empty
};
Document roles_assign_document(const AssignReport& report);

}  // namespace motet::roles
