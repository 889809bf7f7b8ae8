// Evidence sharpened by that of similar items, for the mixture.
//
// With three extra candidates an item says so little of its label that the bound of the mixture is
// highest where few components explain the candidates by wrong labels: no start mends that, for EM
// leaves a good one again. So candidates are weighed by the labels that propagation (ipal.h) gives the
// item, M_nl (F_nl / max_l F_nl)^g. Items are alike in their features or, where that foresees the
// candidates of items from their neighbours better, in the direction of their features; no true label
// is used.
#pragma once

#include <span>

#include "motet/base/run.h"
#include "motet/superset/evidence_matrix.h"

namespace motet::superset {

constexpr std::size_t most_rows_for_neighbours = 20'000;  // all pairs of rows are looked at

EvidenceMatrix evidence_of_neighbours(const EvidenceMatrix& evidence, std::span<const double> x, std::size_t dimensions,
                                      std::size_t neighbours, const RunContext& run);

// sum_n log of the share that the labels of the neighbours of item n, F averaged, give to its candidates.
double foreseen_by_neighbours(const EvidenceMatrix& evidence, std::span<const double> labels, std::span<const double> x,
                              std::size_t dimensions, std::size_t neighbours, Threads threads);

}  // namespace motet::superset
