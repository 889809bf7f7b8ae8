// Methods on the same items, beside each other: a part of the evaluation of multi-label classifiers.
#pragma once

#include "motet/app/multilabel/evaluate_document.h"

namespace motet::multilabel {

// On the terminal, and as a section of the page.
void add_comparison(Document& document, const MultilabelEvaluateReport& report);

}  // namespace motet::multilabel
