// Each label decided by itself: is this an item with the label, or one without? The one-against-all
// classification of section 5.1.1 of the thesis, for the trainings that take whole items for emissions
// of each of their labels (cross and probabilistic).
//
//   P(k in L | x) = w_k p_k(x) / (w_k p_k(x) + v_k q_k(x))
// p_k is source k by itself, learnt from the items with label k, and w_k the weight of these items, 1 each
// in cross and 1 / |L| in probabilistic training. q_k is of the same family, learnt from the v_k items
// without label k. The thesis does not print the test; that p_k and q_k are weighed by the items they were
// learnt from is what agrees with its text on figure 5.3 (docs/experiments.md).
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "motet/base/run.h"
#include "motet/data/labelled_items.h"
#include "motet/multilabel/options.h"
#include "motet/sources/sources.h"

namespace motet::multilabel {

struct OneAgainstAll {
  Sources rest;                 // q_k, one per label
  std::vector<double> with;     // w_k
  std::vector<double> without;  // v_k; 0: the label is in every item, and is always given
  bool operator==(const OneAgainstAll&) const = default;
};

bool has_one_against_all(Training method);

// x is rows x D in the order of index.of_row. Nothing for other trainings, and where the items without some label are
// too few for its q_k.
std::optional<OneAgainstAll> learn_one_against_all(const LabelSetIndex& index, std::span<const double> x,
                                                   std::size_t dimensions, const TrainOptions& options,
                                                   const RunContext& run);

// P(k in L | x): rows x labels.
std::vector<double> label_posteriors(const Sources& sources, const OneAgainstAll& against, std::span<const double> x,
                                     Threads threads);

}  // namespace motet::multilabel
