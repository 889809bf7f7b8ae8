// `motet discover confirm`: is this one too? Many segments of a class looked at and answered at once.
#pragma once

#include "motet/app/verb.h"

namespace motet::discover {

Verb confirm_verb();

}  // namespace motet::discover
