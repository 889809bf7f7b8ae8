// What a trained classifier says of items: probabilities, a label or none, a set of labels.
//
// Sets: all labels with 1 - p(l | x) up to the quantile of that score at the wanted coverage (and the
// likeliest label always). The score of the right label is not known where an item had several
// candidates; that of the best candidate would be too low, that of the worst too high. Each candidate
// counts by p(l | x, candidates), in fits that had not seen the item. Items with one candidate count
// as in ordinary split conformal prediction, which is exact; with more the coverage is as good as
// the probabilities are.
#pragma once

#include "motet/superset/model.h"

namespace motet::superset {

struct SupersetPredictOptions {
  double abstain_below = 0.0;  // probability of the likeliest label
  double coverage = 0.0;       // of the sets; 0: none
};

template <class V>
void visit_fields(V& v, SupersetPredictOptions& o) {
  v("abstain_below", o.abstain_below, Range<double>{0.0, 1.0}, "give no label where the likeliest has less");
  v("coverage", o.coverage, Range<double>{0.0, 0.999}, "share of items whose set shall hold the truth; 0: no sets");
}

struct SupersetPrediction {
  std::vector<double> probability;               // rows x L
  std::vector<std::int32_t> label;               // -1: abstained
  std::vector<double> confidence;                // probability of the likeliest label
  std::vector<std::vector<std::uint32_t>> sets;  // empty when none are wanted
};

SupersetPrediction predict(const SupersetModel& model, const NumberTable& features,
                           const SupersetPredictOptions& options, Threads threads);

// Of rows that are prepared already.
std::vector<double> probabilities_of(const SupersetModel& model, std::span<const double> x, Threads threads);

// p(l | x, candidates) of items, rows x L, among them those of the training. The classes of the items
// are found by name; throws Error{bad_data} for one the model does not know.
std::vector<double> disambiguate(const CandidateItems& items, const SupersetModel& model, Threads threads);

// The same of items with prepared features and the classes of the model.
std::vector<double> disambiguate_prepared(const CandidateItems& items, const SupersetModel& model, Threads threads);

// From probabilities of items that were not seen.
SetCalibration calibrate_sets(const EvidenceMatrix& evidence, std::span<const double> probability);

std::vector<std::uint32_t> label_set(const SetCalibration& sets, std::span<const double> p, double coverage);

}  // namespace motet::superset
