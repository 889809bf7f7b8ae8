// Sources from items with label sets, by any training but `auto`: which of the fits of this folder it takes.
#pragma once

#include <cstddef>
#include <span>
#include <string>

#include "motet/base/run.h"
#include "motet/data/labelled_items.h"
#include "motet/multilabel/options.h"
#include "motet/multilabel/sources/source_fit.h"
#include "motet/sources/statistics/set_statistics.h"

namespace motet::multilabel {

// Pairs whose label sets have a density in closed form and can be taken apart by statistics.
bool is_closed_form(Family family, Combination combination);

// From statistics alone, for closed forms of every method but `auto`. Throws Error{unanswerable}
// (exit code 4) with the labels' numbers when a source has no data or cannot be told apart.
SourceFit fit_sources(const SetStatistics& statistics, const TrainOptions& options, const RunContext& run);

// From items, for what needs them: one-of, pairs without a closed form. Falls back to the above.
SourceFit fit_sources(const LabelSetIndex& index, std::span<const double> x, std::size_t dimensions,
                      const TrainOptions& options, const RunContext& run);

// fit_sources with names of the labels for messages.
SourceFit fit_named_sources(const SetStatistics& statistics, const TrainOptions& options, const RunContext& run,
                            std::span<const std::string> names);
SourceFit fit_named_sources(const LabelSetIndex& index, std::span<const double> x, std::size_t dimensions,
                            const TrainOptions& options, const RunContext& run, std::span<const std::string> names);

}  // namespace motet::multilabel
