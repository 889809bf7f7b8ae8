// Numeric predictions from a CSV table: one row per item, one column per judge.
//
// The first column holds item names if it is called item, id or task, or if some
// of its values are no numbers; otherwise it is a judge like the others and items
// are named 1, 2, ... by row. An empty field is a missing prediction.
#pragma once

#include <string>

#include "motet/data/predictions.h"

namespace motet {

// Throws Error{bad_data} such as "p.csv:5: column 'f1': 'nan' is not a finite number".
Predictions read_predictions(const std::string& path, char delimiter = ',');

}  // namespace motet
