// The verbs of `motet superset`.
#pragma once

#include <vector>

#include "motet/app/verb.h"

namespace motet::superset {

std::vector<Verb> superset_verbs();

// One of them, in a file of its own.
Verb superset_evaluate_verb();

}  // namespace motet::superset
