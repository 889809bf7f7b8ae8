// Instance-based disambiguation (Zhang and Yu 2015).
//
// Every item is rebuilt from its k nearest by non-negative least squares, min |x_n - sum_j h_nj x_j|^2,
// h_n >= 0; the weights, scaled to sum 1, carry labels from item to item,
//   F <- a H F + (1 - a) P, then F_nl <- M_nl F_nl scaled to sum 1,      P the averaged candidates, a = 0.95.
// Labels that many sets hold flow too freely, so at the end a column of F is scaled to the mass it has
// in P. A new item is given to the class whose members alone rebuild it best: its scores are minus the
// shares r_l = |x - sum_{j: label l} h_j x_j|^2 / |x|^2.
#pragma once

#include "motet/base/run.h"
#include "motet/superset/neighbours/knn.h"

namespace motet::superset {

// Disambiguated probabilities of the rows: rows x L. The summary holds no objective; it says
// whether the labels came to rest.
struct SpreadLabels {
  std::vector<double> probability;
  FitSummary summary;
};
SpreadLabels propagate_labels(const EvidenceMatrix& evidence, std::span<const double> x, std::size_t dimensions,
                              std::size_t neighbours, const RunContext& run);

// Non-negative weights h (k of them) that rebuild x from the rows of z, k x dimensions.
std::vector<double> rebuilding_weights(std::span<const double> z, std::span<const double> x);

// Scores -r_l of new rows, rows x L; memory.target are the disambiguated probabilities.
std::vector<double> rebuilding_scores(const ItemMemory& memory, std::span<const double> x, std::size_t neighbours,
                                      Threads threads);

}  // namespace motet::superset
