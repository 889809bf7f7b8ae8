// The verbs of `motet judges`.
#pragma once

#include <vector>

#include "motet/app/verb.h"

namespace motet {

std::vector<Verb> judges_verbs();

}  // namespace motet
