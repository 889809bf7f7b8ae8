// The verbs of clips: `motet multilabel train-clips`, `classify-clips`, `evaluate-clips`.
#pragma once

#include <vector>

#include "motet/app/verb.h"

namespace motet::multilabel {

std::vector<Verb> multilabel_clip_verbs();

}  // namespace motet::multilabel
