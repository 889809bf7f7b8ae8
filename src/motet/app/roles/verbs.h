// The verbs of `motet roles`.
#pragma once

#include <vector>

#include "motet/app/verb.h"

namespace motet {

std::vector<Verb> roles_verbs();

}  // namespace motet
