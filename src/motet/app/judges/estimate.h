// `motet judges estimate`: how good is each judge, from all votes together or by adding votes to a model.
#pragma once

#include "motet/app/verb.h"

namespace motet::judges {

Verb judges_estimate_verb();

}  // namespace motet::judges
