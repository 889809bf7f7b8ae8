// Which role contains which, told.
#pragma once

#include <string>
#include <vector>

#include "motet/report/document.h"
#include "motet/roles/catalogue/hierarchy.h"

namespace motet::roles {

// A table, the JSON list, and a section with a diagram; no text and no section where no role contains another or is the
// same as another.
Document hierarchy_part(const RoleHierarchy& hierarchy, const std::vector<std::string>& names);

}  // namespace motet::roles
