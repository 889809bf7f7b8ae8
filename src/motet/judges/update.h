// New votes added to a fitted model without starting over.
//
// The model keeps the expected counts behind its estimate. A batch of new items is
// absorbed by EM in which the old counts stand still and only the new items are
// inferred again (incremental EM, Neal and Hinton 1998): the cost depends on the
// batch alone. Items of the batch count as new; votes on items the model has seen
// before need a fit of all votes together.
#pragma once

#include "motet/base/run.h"
#include "motet/data/votes.h"
#include "motet/judges/estimate.h"
#include "motet/judges/model.h"

namespace motet::judges {

struct JudgesUpdate {
  JudgesModel model;
  FitSummary summary;
  std::vector<std::string> new_judges;
};

// `votes` must use the classes of the model, in its order. Judges may be new.
JudgesUpdate absorb_votes(JudgesModel model, const Votes& votes, const RunContext& run);

// A fit told from its model alone, as after an update.
JudgesFit fit_from_model(JudgesModel model, double confidence);

}  // namespace motet::judges
