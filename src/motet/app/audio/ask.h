// `motet audio classify, reverberation`: what a model says of recordings, and how far that can be trusted.
#pragma once

#include <vector>

#include "motet/app/verb.h"

namespace motet::audio {

std::vector<Verb> ask_verbs();

}  // namespace motet::audio
