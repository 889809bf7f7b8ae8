// `motet discover export` and `import`: label tracks out of a project and into it.
#pragma once

#include <vector>

#include "motet/app/verb.h"

namespace motet::discover {

std::vector<Verb> discover_track_verbs();

}  // namespace motet::discover
