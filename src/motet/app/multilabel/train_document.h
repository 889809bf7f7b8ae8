// A multi-label classifier that was trained, told once.
#pragma once

#include "motet/multilabel/train.h"
#include "motet/report/document.h"

namespace motet::multilabel {

struct MultilabelTrainReport {
  const MultilabelFit& fit;
  std::string source = {};                 // file the items came from
  WhatAndValue options = {};               // shown with the fit
  std::vector<std::string> warnings = {};  // beside those of the fit
};
Document multilabel_train_document(const MultilabelTrainReport& report, Wanted wanted = {});

}  // namespace motet::multilabel
