// The verbs of `motet discover`.
#pragma once

#include <vector>

#include "motet/app/verb.h"

namespace motet::discover {

std::vector<Verb> discover_verbs();

}  // namespace motet::discover
