// Deconvolution of pairs without a closed form, feature by feature: BFGS on the likelihood of integrated_feature.h. A
// step is taken only if the objective rises. Every density is a formula or an integral to about 1e-9, so what is
// climbed is the likelihood itself, and its maximum is as near to the truth as the items allow.
#pragma once

#include <cstddef>
#include <span>

#include "motet/base/run.h"
#include "motet/data/labelled_items.h"
#include "motet/multilabel/options.h"
#include "motet/multilabel/sources/design.h"
#include "motet/multilabel/sources/source_fit.h"

namespace motet::multilabel {

SourceFit fit_integrated(const LabelSetIndex& index, std::span<const double> x, std::size_t dimensions,
                         const SetDesign& design, const TrainOptions& options, const RunContext& run);

}  // namespace motet::multilabel
