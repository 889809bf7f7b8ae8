// Branch and bound for Gaussian sources with matrices of their own.
//
// Below a node every set's covariance S_L lies between that of the decided labels and S_hi, that of
// the decided and all open ones together, in the order of matrices. So
//   (x - mu_L)' S_L^-1 (x - mu_L) >= (x - mu_L)' S_hi^-1 (x - mu_L),
// which is bounded, whitened by S_hi, coordinate by coordinate by the interval that sums of r open
// means lie in; and by Minkowski det(S_L)^(1/D) is at least the sum of det^(1/D) of its parts.
// Both hold for every set below the node, so the certificate is true; the bound is loose near the
// root, and many labels need many nodes.
#pragma once

#include <memory>

#include "motet/multilabel/search/search_terms.h"
#include "motet/sources/sources.h"

namespace motet::multilabel {

std::unique_ptr<const SearchPlan> make_matrix_plan(const Sources& sources, const SearchTerms& terms);

}  // namespace motet::multilabel
