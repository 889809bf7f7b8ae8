// `motet temporal`: mixtures for rows in time order.
#pragma once

#include <vector>

#include "motet/app/verb.h"

namespace motet::temporal {

std::vector<Verb> temporal_verbs();

}  // namespace motet::temporal
