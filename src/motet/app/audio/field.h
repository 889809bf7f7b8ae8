// `motet audio field`.
#pragma once

#include "motet/app/verb.h"

namespace motet::audio {

Verb field_verb();

}  // namespace motet::audio
