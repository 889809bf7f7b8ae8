// combine = one-of: an item is one emission of its label set, each source equally likely.
//
//   p(x | L) = 1/m sum_{k in L} p_k(x)
// A mixture whose components the labels of an item allow (with Gaussians and a shared
// covariance: mixture discriminant analysis). EM over items: which source made the item is
// hidden, r_nk = p_k(x_n) / sum_{j in L_n} p_j(x_n). Starts from items that teach each of
// their labels with weight 1 / |L|. Priors as in deconvolution.
#pragma once

#include <cstddef>
#include <span>

#include "motet/base/run.h"
#include "motet/data/labelled_items.h"
#include "motet/multilabel/options.h"
#include "motet/multilabel/sources/design.h"
#include "motet/multilabel/sources/source_fit.h"

namespace motet::multilabel {

SourceFit fit_one_of(const LabelSetIndex& index, std::span<const double> x, std::size_t dimensions,
                     const SetDesign& design, const TrainOptions& options, const RunContext& run);

}  // namespace motet::multilabel
