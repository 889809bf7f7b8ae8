#include "motet/app/audio/verbs.h"

#include "motet/app/audio/features.h"
#include "motet/app/audio/parity.h"

namespace motet::audio {

std::vector<Verb> audio_verbs() { return {features_verb(), parity_verb()}; }

}  // namespace motet::audio
