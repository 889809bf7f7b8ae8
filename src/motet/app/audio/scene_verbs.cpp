#include "motet/app/audio/scene_verbs.h"

#include "motet/app/audio/field.h"
#include "motet/app/audio/mix.h"
#include "motet/app/audio/room.h"
#include "motet/app/audio/synthesize.h"

namespace motet::audio {

std::vector<Verb> scene_verbs() { return {mix_verb(), room_verb(), synthesize_verb(), field_verb()}; }

}  // namespace motet::audio
