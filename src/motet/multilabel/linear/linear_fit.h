// Trainings without sources (linear_weights.h has what they say): weights that tell label sets apart.
//
// Least sum of losses over items + penalty / 2 (m |w|^2 + |b|^2), m the mean squared length of a row, so that one
// penalty suits features of any number and unit. The losses:
//   log-linear  -log p(L_n | x_n) among all observed sets
//   logistic    sum_k log(1 + e^-(y_nk z_nk)), y = 1 with the label and -1 without; chain: with the labels before it
//   svm         sum_k max(0, 1 - y_nk z_nk)^2; powerset: over label sets, y = 1 for the item's own
// All are convex and smooth (descent finds the one optimum). Log-linear training with label sets that all share their
// labels' weights is the model of Ghamrawi and McCallum 2005 (collective multi-label classification).
#pragma once

#include <cstddef>
#include <span>

#include "motet/base/run.h"
#include "motet/data/labelled_items.h"
#include "motet/multilabel/linear/linear_weights.h"

namespace motet::multilabel {

struct LinearFit {
  LinearWeights weights;
  FitSummary summary;  // the objective is minus the penalised sum
};

// x is rows x dimensions in the order of index.of_row.
LinearFit fit_linear(const LabelSetIndex& index, std::span<const double> x, std::size_t dimensions,
                     const TrainOptions& options, const RunContext& run);

}  // namespace motet::multilabel
