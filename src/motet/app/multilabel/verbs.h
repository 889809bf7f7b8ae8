// `motet multilabel`: items made by several sources at once.
#pragma once

#include <vector>

#include "motet/app/verb.h"

namespace motet::multilabel {

std::vector<Verb> multilabel_verbs();

}  // namespace motet::multilabel
