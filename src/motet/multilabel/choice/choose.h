// Which way of training suits the data: cross-validation inside the training items.
#pragma once

#include <vector>

#include "motet/base/run.h"
#include "motet/data/labelled_items.h"
#include "motet/multilabel/calibration.h"
#include "motet/multilabel/choice/held_out_items.h"
#include "motet/multilabel/model.h"

namespace motet::multilabel {

// Exact-match error of each way over stratified folds. The first is the choice: among those whose
// error is above the least one by no more than one standard error of the difference on the same
// items, that with the least log-loss; the others follow by error. A way that cannot be fitted in
// some fold is left out; when none is left, throws Error{unanswerable} with the reason of the first.
// Of more than 5,000 items a stratified sample of about so many is used.
//
// The ways' `optimize` may be another measure than the error: then the way with the least loss is the choice, and the
// others follow by loss. With a deadline ways for which no time is left are not tried.
std::vector<Trial> try_ways(const LabelledItems& items, const std::vector<TrainOptions>& ways, std::size_t folds,
                            const RunContext& run, const Deadline& deadline = {});

// What a model of these options says of items that it has not seen. Folds differ from those of try_ways.
HeldOut held_out(const LabelledItems& items, const TrainOptions& options, std::size_t folds, const RunContext& run);

}  // namespace motet::multilabel
