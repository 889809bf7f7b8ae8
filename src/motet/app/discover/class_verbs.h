// Verbs that change the classes of a search: rename and merge.
#pragma once

#include <string>

#include "motet/app/verb.h"
#include "motet/discover/class_change.h"

namespace motet::discover {

Verb rename_verb();
Verb merge_verb();

// "'forg' was renamed to 'frog'".
std::string change_words(const ClassChange& change);

}  // namespace motet::discover
