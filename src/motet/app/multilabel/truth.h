// The true sources of simulated items, as `motet multilabel simulate --truth` writes them: columns source,
// parameter, and one per feature. Locations come first; variances, rows of covariance matrices and the rates of
// gamma follow; what all sources share is that of "all sources".
#pragma once

#include <string>
#include <vector>

#include "motet/data/labelled_items.h"
#include "motet/multilabel/source_summary.h"

namespace motet::multilabel {

void write_truth(const std::string& path, const Sources& sources, const LabelledItems& items);

// How far the locations of `analysis` (without any: of the model) are from those in the file, which are found by
// the names of sources and features. Throws Error{bad_data} for what the file lacks, and Error{unanswerable} for a
// model that prepares its features: its sources have other units.
TruthDistance distance_from_truth(const std::string& path, const MultilabelModel& model, const std::string& model_file,
                                  const Analysis& analysis);

}  // namespace motet::multilabel
