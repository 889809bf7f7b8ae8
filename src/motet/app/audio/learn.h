// `motet audio train, evaluate`.
#pragma once

#include <vector>

#include "motet/app/verb.h"

namespace motet::audio {

std::vector<Verb> learn_verbs();

}  // namespace motet::audio
