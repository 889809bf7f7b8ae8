// Training from candidates. No true label is looked at.
//
// Every member is fitted on parts of the items and asked about the rest (options.folds), which gives
// its sharpness, its weight (stack.h), the sharpness of the average, and the quantiles of prediction
// sets; then it is fitted on all items. With a single method there is one member of weight 1.
//
// All of it goes by the likelihood of candidates, which calibrated probabilities maximise where a set
// says no more than that the truth is in it. Where labels go together in sets (the objects of one
// picture), it is as content with a companion of the truth as with the truth: the probabilities are
// then too sure, and nothing but true labels can tell by how much.
#pragma once

#include "motet/base/run.h"
#include "motet/superset/model.h"

namespace motet {

struct TrainedSuperset {
  SupersetModel model;
  FitSummary summary;               // of the last fit of the member with most weight
  std::vector<double> probability;  // p(l | x, candidates) of the items: rows x L
};

TrainedSuperset train_superset(const CandidateItems& items, const SupersetOptions& options, const RunContext& run);

// Folds of about equal size by lot, the fold of each row.
std::vector<std::uint32_t> random_folds(std::size_t rows, std::size_t folds, Rng rng);

}  // namespace motet
