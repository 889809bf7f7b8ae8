// `motet multilabel separate`: items taken apart into what each source is expected to have emitted.
#pragma once

#include "motet/app/verb.h"

namespace motet::multilabel {

Verb multilabel_separate_verb();

}  // namespace motet::multilabel
