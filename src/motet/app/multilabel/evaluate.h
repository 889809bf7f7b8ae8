// `motet multilabel evaluate`: a model on items with known labels, a way of training by cross-validation, or
// several trainings, beside the usual methods on the same items.
#pragma once

#include "motet/app/verb.h"

namespace motet::multilabel {

Verb multilabel_evaluate_verb();

}  // namespace motet::multilabel
