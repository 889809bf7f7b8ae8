// Recordings as items with several labels.
#pragma once

#include <string>
#include <vector>

#include "motet/app/recording_features.h"
#include "motet/io/labelled_items_file.h"

namespace motet::multilabel {

// An item per recording, or, with --pool-rows or --pool none, per row of it, called RECORDING@SECONDS; each has the
// labels of its recording. `labels`: a table of them (io/label_sets_csv.h); empty: nothing is known. `known_labels` of
// a model come in its order; an item with any other label is an error.
LabelledFile recording_items(const std::vector<std::string>& arguments, const RecordingOptions& options,
                             const std::string& labels, const std::vector<std::string>& known_labels, char delimiter,
                             const RunContext& run);

}  // namespace motet::multilabel
