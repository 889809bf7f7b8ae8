// Maximum likelihood from candidates: p(l | x) is a softmax of straight lines, and the fit
// maximises sum_n log sum_l M_nl p(l | x_n) - penalty / 2 |W|^2.
//
// That is not convex, so the start matters more than the loss: first the convex problem in which
// the candidates of a row are averaged, then ascent from its optimum, monotone throughout.
#pragma once

#include "motet/superset/evidence_matrix.h"
#include "motet/superset/linear/linear.h"

namespace motet::superset {

LinearFit fit_logistic(const EvidenceMatrix& evidence, std::span<const double> x, std::size_t dimensions,
                       double penalty, const RunContext& run);

// P(l | x): rows x L.
std::vector<double> logistic_probabilities(const LinearScores& model, std::span<const double> x, Threads threads);

}  // namespace motet::superset
