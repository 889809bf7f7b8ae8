// `motet audio`: recordings to data.
#pragma once

#include <vector>

#include "motet/app/verb.h"

namespace motet::audio {

std::vector<Verb> audio_verbs();

}  // namespace motet::audio
