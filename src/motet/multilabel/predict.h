// Decisions: which label set, how sure, and whether the item is like the training items at all.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "motet/base/run.h"
#include "motet/data/bit_matrix.h"
#include "motet/data/number_table.h"
#include "motet/multilabel/model.h"

namespace motet::multilabel {

// `trained`: those that the model is meant for, all of log-linear training and else the observed ones.
enum class CandidateKind { observed, degree, all, trained };
struct CandidateRule {  // which label sets are tried
  CandidateKind kind = CandidateKind::trained;
  std::size_t degree = 0;
};
CandidateRule candidate_rule(
    std::string_view text);  // "auto" (trained), "observed", "degree:3", "all"; throws Error{usage}

// `trained`: as the model's thresholds say, or `map` where it has none.
enum class Decision { map, ml, hamming, one_against_all, trained };
constexpr const char* decision_words[] = {"map", "ml", "hamming", "one-against-all", "trained"};

struct PredictOptions {
  CandidateRule candidates;
  Decision decision = Decision::trained;
  double reject_below = 0.0;    // calibrated probability under which no set is given
  double outlier_level = 0.01;  // share of training items that would be flagged
  std::size_t best = 1;         // sets told an item, with their posteriors
  std::size_t node_limit = 5'000'000;
  double heuristic_error = 0.0;  // above 0: only the sources that threshold.h keeps, with this error; 0: exact
};

struct RankedSet {
  std::uint32_t set = 0;  // row of SetPredictions::candidates
  double posterior = 0.0;
};

struct SetPredictions {
  std::vector<std::string> labels;
  BitMatrix sets;                      // items x labels: the decision, empty where rejected
  std::vector<double> probability;     // that the set is right, calibrated when the model is
  std::vector<double> posterior;       // of the set among the candidates, as the model has it
  std::vector<double> log_likelihood;  // log p(x | the decision); NaN of no labels without a background. Without
                                       // sources the log of the posterior
  std::vector<double> log_evidence;    // log p(x) over the observed sets
  std::vector<double> marginal;        // items x labels: P(k in L | x)
  std::vector<std::uint8_t> outlier;
  std::vector<std::uint8_t> rejected;
  std::vector<std::uint8_t> novel;             // the set was in no training item
  std::vector<double> gap;                     // of the search, 0 where proved (or enumerated)
  std::size_t unproved = 0;                    // items with a gap
  BitMatrix candidates;                        // the sets that `ranked` numbers
  std::vector<std::vector<RankedSet>> ranked;  // PredictOptions::best per item, best first
};

// Enumerates the candidates when they are few (at most 2^16), else searches (search.h).
//
// The decision of a search is exact where gap is 0; else no set has a log joint density with x above
// that of the decision plus gap. Posteriors are then taken over the observed sets and the 16 (or
// `best`) best others, so they are upper bounds: where gap is 0 each set left out has at most the
// posterior q of the last one found, and leaving out n of them makes p at most 1 + n q times too large.
// With heuristic_error (candidates that are not `observed`) the item's own set may be left out, with
// at most that probability, and gap speaks of the sets that were not.
//
// Decision `one_against_all` (one_against_all.h) has no candidates: the set is that of the labels that are more
// probable than not, also none, and its posterior, which no calibration knows, the product over labels.
SetPredictions predict(const MultilabelModel& model, const NumberTable& features, const PredictOptions& options,
                       const RunContext& run);

}  // namespace motet::multilabel
