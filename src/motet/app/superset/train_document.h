// A classifier trained from candidate labels, told once.
#pragma once

#include "motet/report/document.h"
#include "motet/superset/train.h"

namespace motet::superset {

struct SupersetTrainReport {
  const TrainedSuperset& trained;
  const CandidateItems& items;
  std::string source = {};                 // file the items came from
  WhatAndValue options = {};               // shown with the fit
  std::vector<std::string> warnings = {};  // beside those of the fit
};
Document superset_train_document(const SupersetTrainReport& report);

}  // namespace motet::superset
