// What the sets of roles hold together, u_L in chapter 9: the proxy centroids.
#pragma once

#include "motet/data/bit_matrix.h"
#include "motet/roles/role_model.h"

namespace motet::roles {

// Label sets x permissions: 1 where a rounded role of the set has the permission.
BitMatrix set_unions(const RoleModel& model);

}  // namespace motet::roles
