// The verbs of `motet judges`.
#pragma once

#include <vector>

#include "motet/app/verb.h"

namespace motet::judges {

std::vector<Verb> judges_verbs();

}  // namespace motet::judges
