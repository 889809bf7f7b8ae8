// Training from candidates. No true label is looked at.
//
// First items are asked about that fits had not seen (calibrate.h): that gives weights and sharpness. Then
// every member with a weight is fitted on all items; a single method is one member of weight 1.
#pragma once

#include "motet/base/run.h"
#include "motet/superset/model.h"

namespace motet::superset {

struct TrainedSuperset {
  SupersetModel model;
  FitSummary summary;               // of the last fit of the member with most weight
  std::vector<double> probability;  // p(l | x, candidates) of the items: rows x L
  CandidateItems items;             // as they were given, but with their features prepared
};

TrainedSuperset train_superset(CandidateItems items, const SupersetOptions& options, const RunContext& run);

}  // namespace motet::superset
