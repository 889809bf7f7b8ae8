// A role model as a record: what a model file keeps of it, and what of a file is refused.
#pragma once

#include "motet/data/record.h"
#include "motet/roles/role_model.h"

namespace motet::roles {

Record to_record(const RoleModel& model);
// Throws Error{bad_data} with the name of a field that no model can have.
RoleModel roles_from_record(const Record& record);

}  // namespace motet::roles
