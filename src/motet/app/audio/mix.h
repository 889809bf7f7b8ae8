// `motet audio mix`.
#pragma once

#include "motet/app/verb.h"

namespace motet::audio {

Verb mix_verb();

}  // namespace motet::audio
