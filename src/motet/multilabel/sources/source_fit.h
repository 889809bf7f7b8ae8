// What every fit of sources gives back.
#pragma once

#include "motet/base/run.h"
#include "motet/sources/sources.h"

namespace motet::multilabel {

struct SourceFit {
  Sources sources;
  FitSummary summary;  // the objective, log-likelihood plus log prior, never falls
};

}  // namespace motet::multilabel
