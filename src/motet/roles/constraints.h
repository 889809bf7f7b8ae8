// Whether the constraints of a mining run can hold at all, before any work is done.
#pragma once

#include <string>
#include <vector>

#include "motet/data/names.h"
#include "motet/roles/mine.h"

namespace motet::roles {

// Throws Error{bad_data} that names the role and both permissions when a kept role holds
// a pair that must never share a role; also when two kept roles have one name, or a pair
// names one thing twice. Returns warnings: kept roles with equal permissions, or none; one of a
// pair that must never share a user with all permissions of the other.
std::vector<std::string> check_constraints(const RoleConstraints& constraints, const NameList& permissions);

}  // namespace motet::roles
