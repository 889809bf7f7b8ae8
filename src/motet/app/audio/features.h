// `motet audio features`: recordings to rows of numbers.
#pragma once

#include "motet/app/verb.h"

namespace motet::audio {

Verb features_verb();

}  // namespace motet::audio
