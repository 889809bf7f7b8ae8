// `motet discover simulate` and `generate`: searches played through, and data to try them with.
#pragma once

#include <vector>

#include "motet/app/verb.h"

namespace motet::discover {

std::vector<Verb> discover_simulate_verbs();

}  // namespace motet::discover
