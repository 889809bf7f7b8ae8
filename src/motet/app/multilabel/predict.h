// `motet multilabel predict`: the labels of new items.
#pragma once

#include "motet/app/verb.h"

namespace motet::multilabel {

Verb multilabel_predict_verb();

}  // namespace motet::multilabel
