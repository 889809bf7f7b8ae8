// A model after more items, without looking at the old ones again.
#pragma once

#include "motet/base/run.h"
#include "motet/superset/model.h"

namespace motet::superset {

// The classes of the items are those of the model, in its order. How features are prepared, the
// sharpness and the sets stay as they were. Throws Error{usage} unless every member is a mixture
// (lsb-cmm): the other methods do not keep counts.
SupersetModel update_superset(SupersetModel model, const CandidateItems& items, const RunContext& run);

}  // namespace motet::superset
