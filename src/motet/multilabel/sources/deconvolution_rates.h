// Sources that are not Gaussian, from statistics of label sets; dimension by dimension.
//
// EM with closed-form expected emissions, whose steps are those of the family (sources/family_fit.h,
// sources/families/); in the right coordinates the likelihoods of or, and, exponential, Poisson and gamma sources are
// concave, so there is one optimum. A parameter that all sources share is always the best for the locations. The prior
// is worth nu_k emissions of the value that all sources would share.
#pragma once

#include "motet/multilabel/sources/design.h"
#include "motet/multilabel/sources/source_fit.h"
#include "motet/sources/statistics/set_statistics.h"

namespace motet::multilabel {

SourceFit fit_rates(const SetStatistics& statistics, const SetDesign& design, const TrainOptions& options,
                    const RunContext& run);

}  // namespace motet::multilabel
