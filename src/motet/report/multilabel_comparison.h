// Methods on the same items, beside each other: a part of the evaluation of multi-label classifiers.
#pragma once

#include <string>

#include "motet/report/multilabel_report.h"

namespace motet {

std::string comparison_text(const MultilabelEvaluateReport& report);
Section comparison_section(const MultilabelEvaluateReport& report);

}  // namespace motet
