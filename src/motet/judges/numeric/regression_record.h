// The model of numeric judges as a file keeps it.
#pragma once

#include "motet/data/record.h"
#include "motet/judges/numeric/regression.h"

namespace motet::judges {

Record to_record(const RegressionModel& model);
RegressionModel regression_from_record(const Record& record);

}  // namespace motet::judges
