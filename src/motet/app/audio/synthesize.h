// `motet audio synthesize`.
#pragma once

#include "motet/app/verb.h"

namespace motet::audio {

Verb synthesize_verb();

}  // namespace motet::audio
