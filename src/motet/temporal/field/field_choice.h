// The field that options ask for, before its strength is chosen.
#pragma once

#include "motet/temporal/field/field.h"
#include "motet/temporal/fit.h"

namespace motet::temporal {

// Custom weights are one number per distance, "4,3,2,1", and their count is the radius. Throws Error{usage} for a list
// that is not one, a radius that does not agree with it, and weights that are all 0.
TimeField field_of(const TemporalOptions& options);

}  // namespace motet::temporal
