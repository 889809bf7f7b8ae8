// The verbs of `motet superset`.
#pragma once

#include <vector>

#include "motet/app/verb.h"

namespace motet::superset {

std::vector<Verb> superset_verbs();

}  // namespace motet::superset
