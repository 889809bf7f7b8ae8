// `motet multilabel`: items made by several sources at once.
#pragma once

#include <vector>

#include "motet/app/verb.h"

namespace motet::multilabel {

std::vector<Verb> multilabel_verbs();

// In files of their own.
Verb multilabel_evaluate_verb();
Verb multilabel_separate_verb();
Verb multilabel_simulate_verb();

}  // namespace motet::multilabel
