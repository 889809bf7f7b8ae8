// What numeric judges cannot be rated from, and what to say of a fit that went well.
#pragma once

#include "motet/judges/numeric/regression.h"
#include "motet/judges/numeric/regression_data.h"

namespace motet::judges {

void check(const RegressionOptions& options);       // Error{usage}
void check_values(const Predictions& predictions);  // Error{bad_data}

// Error{unanswerable}: too few items or predictions, constant judges, copies, too few judges.
void check_answerable(const Predictions& predictions, const RegressionData& data, const RegressionOptions& options);

void add_warnings(const RegressionData& data, RegressionFit& fit);

}  // namespace motet::judges
