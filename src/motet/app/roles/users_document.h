// Users whom the roles do not explain, or whose roles are doubtful, told once: a part of what `mine` and `assign` tell.
#pragma once

#include "motet/data/access.h"
#include "motet/report/document.h"
#include "motet/roles/outliers.h"

namespace motet::roles {

// One line for the terminal with the most improbable outliers below it, a section of the page, and as JSON outliers and
// doubtful users.
Document users_part(const UserEstimates& estimates, const NameList& users, const OutlierOptions& options);

// user,set_probability,p_value,extra,missing,noise,outlier,doubtful: all users, in the order of the data.
void write_users_csv(const UserEstimates& estimates, const NameList& users, const std::string& path);

}  // namespace motet::roles
