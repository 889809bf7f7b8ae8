// Trainings that do not take the combination apart: which items teach which source, as
// statistics of sets of one source each.
//
//   ignore         items with one label teach it (with a background: items without labels teach that)
//   new            every label set is a source of its own
//   cross          an item teaches each of its labels as if it were alone
//   probabilistic  the same with weight 1 / |L|
// What a source learns from its items is then the fit of a set of one.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "motet/multilabel/options.h"
#include "motet/sources/statistics/set_statistics.h"

namespace motet::multilabel {

// Rows that teach something: all, but of `ignore` those with one label (with a background: and those with none).
std::vector<std::uint32_t> teaching_rows(const BitMatrix& sets, const TrainOptions& options);

// `names` of the labels for messages, or none: then they are numbered from 1.
// Throws Error{unanswerable} when a source has no item to learn from.
SetStatistics taught_statistics(const SetStatistics& statistics, const TrainOptions& options,
                                std::span<const std::string> names);

// Weight of all items that teach each label in cross or probabilistic training.
std::vector<double> lesson_weights(const SetStatistics& statistics, const TrainOptions& options);

// The items without each label, all with weight 1, as statistics of a set of that label alone; `items` says how
// many. A label in every item has none: 0 items there, and statistics of all.
SetStatistics rest_statistics(const SetStatistics& statistics, std::vector<double>& items);

}  // namespace motet::multilabel
