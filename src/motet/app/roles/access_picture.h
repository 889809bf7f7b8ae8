// An access matrix as a picture, in the order of its roles.
#pragma once

#include <string>
#include <vector>

#include "motet/data/access.h"
#include "motet/report/matrix_picture.h"

namespace motet::roles {

// `roles` is roles x permissions, `assignments` users x roles.
MatrixPicture access_picture(const Access& access, const std::vector<std::string>& names, const BitMatrix& roles,
                             const BitMatrix& assignments);

// "ledger + stock", or "no role".
std::string role_set_name(const std::vector<std::string>& names, const std::vector<std::uint32_t>& roles);

}  // namespace motet::roles
