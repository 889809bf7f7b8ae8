// The parts of training behind train.h.
#pragma once

#include <span>
#include <string>

#include "motet/multilabel/sources/design.h"
#include "motet/multilabel/train.h"

namespace motet::multilabel {

// Pairs whose label sets have a density in closed form and can be taken apart by statistics.
bool is_closed_form(Family family, Combination combination);

// fit_sources with names of the labels for messages.
SourceFit fit_named_sources(const SetStatistics& statistics, const TrainOptions& options, const RunContext& run,
                            std::span<const std::string> names);
SourceFit fit_named_sources(const LabelSetIndex& index, std::span<const double> x, std::size_t dimensions,
                            const TrainOptions& options, const RunContext& run, std::span<const std::string> names);

// combine = one-of: a mixture whose components an item's labels allow, by EM over items.
SourceFit fit_one_of(const LabelSetIndex& index, std::span<const double> x, std::size_t dimensions,
                     const SetDesign& design, const TrainOptions& options, const RunContext& run);

// Pairs without a closed form.
SourceFit fit_integrated(const LabelSetIndex& index, std::span<const double> x, std::size_t dimensions,
                         const SetDesign& design, const TrainOptions& options, const RunContext& run);

}  // namespace motet::multilabel
