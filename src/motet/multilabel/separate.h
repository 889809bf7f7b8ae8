// What each source of an item is expected to have emitted.
#pragma once

#include <functional>

#include "motet/base/run.h"
#include "motet/data/bit_matrix.h"
#include "motet/data/number_table.h"
#include "motet/multilabel/model.h"
#include "motet/sources/emission.h"

namespace motet::multilabel {

// Calls visit(item, emission) for each item and each source of its set, in the order of the items. Emissions are in the
// units of the features where the preparation can be undone, else in those of its components. Of a sum the background
// has the centre; without one the emissions add up to the item minus the centre. Throws Error{interrupted}.
void separate(const MultilabelModel& model, const NumberTable& features, const BitMatrix& sets, const RunContext& run,
              const std::function<void(std::size_t, const Emission&)>& visit);

}  // namespace motet::multilabel
