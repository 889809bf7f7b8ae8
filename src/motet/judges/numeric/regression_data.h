// What every way to fit numeric judges is given.
//
// A fit receives a RegressionFit with options and the judges' names, and sets theta, line, errors and intervals of
// theta, at_boundary, log_likelihood and summary. The errors and intervals of the mse follow from those of theta,
// except for factor, which sets them.
#pragma once

#include <vector>

#include "motet/judges/numeric/linear_gaussian.h"

namespace motet::judges {

struct RegressionData {
  std::vector<PredictionPattern> patterns;  // by who spoke
  std::vector<PredictionPattern> single;    // by judge: its own predictions
};

}  // namespace motet::judges
