// `motet multilabel simulate`: items of random sources, or of those of a model.
#pragma once

#include "motet/app/verb.h"

namespace motet::multilabel {

Verb multilabel_simulate_verb();

}  // namespace motet::multilabel
