// Parts of what is told of mined roles: each is a small Document with one section, or an empty
// one where there is nothing to tell.
#pragma once

#include "motet/report/document.h"
#include "motet/roles/attribute_profile.h"
#include "motet/roles/changes.h"
#include "motet/roles/compare.h"

namespace motet::roles {

// The fit, the first row, against simpler methods.
Document comparison_part(const std::vector<MethodScore>& rows);

// What attributes of users say of the roles.
Document attributes_part(const AttributeProfile& profile, const RoleFit& fit);

// What became of the roles since a previous model.
Document changes_part(const RoleChanges& changes, const std::vector<std::string>& roles);

// The sentence that weighs the fit against the simpler methods (does_as_well); "" when there is nothing to weigh.
std::string comparison_sentence(const std::vector<MethodScore>& rows);

// "a, b and 3 more", every name shortened.
std::string some_names(const std::vector<std::string>& names, std::size_t most);

}  // namespace motet::roles
