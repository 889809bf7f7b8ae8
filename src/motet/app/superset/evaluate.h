// `motet superset evaluate`: how accurate labels are, by cross-validation with known truth.
#pragma once

#include "motet/app/verb.h"

namespace motet::superset {

Verb superset_evaluate_verb();

}  // namespace motet::superset
