// The verbs of `motet roles`.
#pragma once

#include <vector>

#include "motet/app/verb.h"

namespace motet::roles {

std::vector<Verb> roles_verbs();

}  // namespace motet::roles
