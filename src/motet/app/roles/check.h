// `motet roles check`: a catalogue of roles that is there already, beside who holds what.
#pragma once

#include "motet/app/verb.h"

namespace motet::roles {

Verb roles_check_verb();

}  // namespace motet::roles
