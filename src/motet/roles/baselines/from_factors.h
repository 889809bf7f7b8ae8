// A role model around Boolean roles that came without one, so that the baselines can be
// assigned, evaluated and reported like the rest.
#pragma once

#include "motet/data/access.h"
#include "motet/roles/baselines/factorization.h"
#include "motet/roles/role_model.h"

namespace motet::roles {

// Noise levels are the shares of held cells the roles do and do not cover; label sets are all of up
// to `degree` roles (fewer when they are too many) and those that occur, their shares counted.
RoleModel model_from_factors(const Access& access, const Factorization& factors, std::size_t degree, RoleMethod method);

}  // namespace motet::roles
