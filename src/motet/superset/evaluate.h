// How well a classifier trained from candidates does, by cross-validation. True labels are used to
// score, never to train.
#pragma once

#include "motet/base/numeric.h"
#include "motet/data/split.h"
#include "motet/measure/label_sets.h"
#include "motet/superset/train.h"

namespace motet::superset {

struct SupersetFold {
  std::size_t items = 0;            // held out, of known truth
  double inductive = 0.0;           // accuracy on them, without their candidates
  double transductive = 0.0;        // accuracy of the disambiguated training items
  std::vector<MemberScore> scores;  // what the training chose, and why
};

struct SupersetEvaluation {
  std::vector<SupersetFold> folds;
  MeanSd inductive, transductive;        // over folds
  std::vector<std::size_t> confusion;    // L x L, truth by label, of held out items
  Reliability reliability;               // of the likeliest label of held out items
  double coverage = 0.0;                 // wanted
  double covered = 0.0, set_size = 0.0;  // share of sets with the truth, and their mean size
  std::vector<double> probability;       // rows x L, each from the fold that held it out
  std::vector<double> log_likelihood;    // of the candidates of held out items, one per item
};

// Each part is held out once. Throws Error{unanswerable} when no truth is known.
SupersetEvaluation cross_validate(const CandidateItems& items, const SupersetOptions& options, const Parts& parts,
                                  double coverage, const RunContext& run);

}  // namespace motet::superset
