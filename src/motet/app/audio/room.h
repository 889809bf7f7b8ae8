// `motet audio room`.
#pragma once

#include "motet/app/verb.h"

namespace motet::audio {

Verb room_verb();

}  // namespace motet::audio
