// What is to be labelled now: `motet discover next`, and the same behind an answer.
#pragma once

#include <string>

#include "motet/app/discover/search_document.h"
#include "motet/app/verb.h"
#include "motet/discover/project/project.h"

namespace motet::discover {

constexpr double usual_hold = 10.0;  // minutes for which questions are kept

// With up to `count` questions in the status, which nobody else is given who asks under a name for `minutes`.
DiscoverStatus reserved_status(const std::string& path, Project& project, const std::string& by, std::size_t count,
                               double minutes);

Verb next_verb();

}  // namespace motet::discover
