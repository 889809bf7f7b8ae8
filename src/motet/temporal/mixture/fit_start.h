// Where a fit begins: clusters of k-means, shared out among classes, and the mixture of
// their rows. Gaussians take all rows; Student's t leaves out the farthest, which would
// decide k-means.
#pragma once

#include <cstdint>
#include <vector>

#include "motet/base/run.h"
#include "motet/data/features.h"
#include "motet/temporal/fit.h"
#include "motet/temporal/mixture/shrinkage.h"

namespace motet::temporal {

// Fills the components of a mixture whose emission, covariance and classes are set. `known` is empty when there are no
// labels. Returns the component each row starts with.
std::vector<std::uint8_t> start_fit(const Features& features, std::size_t components, const RowLabels& known,
                                    const TemporalOptions& options, const GlobalShape& global, const RunContext& run,
                                    Mixture& mixture);

}  // namespace motet::temporal
