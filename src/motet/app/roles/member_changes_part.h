// Who joined and who left each role, told with what became of the roles.
#pragma once

#include <string>
#include <vector>

#include "motet/report/document.h"
#include "motet/roles/member_changes.h"

namespace motet::roles {

// Adds a sentence and a table to what changes_part made, and the keys `members`, `users_new` and `users_gone`.
void add_member_changes(Document& changes, const MemberChanges& members, const std::vector<std::string>& roles);

}  // namespace motet::roles
