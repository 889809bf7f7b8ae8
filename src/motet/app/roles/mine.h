// The verb `motet roles mine`.
#pragma once

#include "motet/app/verb.h"

namespace motet::roles {

Verb roles_mine_verb();

}  // namespace motet::roles
