// Gaussian sources whose sets' covariance depends only on the number of labels, as lattices.
//
// With m members (labels and background) and S the covariance of a source, N that of the noise:
//   sum   residual  x - mu_bg - Mz              covariance  m S + N
//   mean  residual (m x - mu_bg - Mz) / m       covariance  S / m + N
// Without noise (or with noise alone) the metric is the same for all m, up to a factor; with both
// every m has its own. A search for one number of labels j adds a multiple of (|z| - j)^2 = 0, which
// mostly needs fewer nodes.
#pragma once

#include <memory>

#include "motet/multilabel/search/search_terms.h"
#include "motet/sources/sources.h"

namespace motet::multilabel {

// Whether all sources have one covariance, whatever it is called.
bool has_one_covariance(const Sources& sources);

std::unique_ptr<const SearchPlan> make_sphere_plan(const Sources& sources, const SearchTerms& terms);

}  // namespace motet::multilabel
