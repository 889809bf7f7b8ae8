// `motet audio mix, room, synthesize, field`: sounds that are made, and what is known of them.
#pragma once

#include <vector>

#include "motet/app/verb.h"

namespace motet::audio {

std::vector<Verb> scene_verbs();

}  // namespace motet::audio
