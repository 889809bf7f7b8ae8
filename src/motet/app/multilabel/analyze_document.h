// What items can tell about the sources of a model, told once.
#pragma once

#include <optional>

#include "motet/multilabel/source_summary.h"
#include "motet/report/document.h"

namespace motet::multilabel {

struct MultilabelAnalyzeReport {
  const Analysis& analysis;
  const MultilabelModel& model;
  std::string source = {};
  double confidence = 0.95;
  std::vector<std::string> warnings = {};
  std::optional<TruthDistance> distance = {};
};
Document multilabel_analyze_document(const MultilabelAnalyzeReport& report, Wanted wanted = {});

}  // namespace motet::multilabel
