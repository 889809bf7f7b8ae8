// A matrix as coloured cells, with the numbers in them when there is room.
#pragma once

#include <string>
#include <vector>

#include "motet/report/page.h"

namespace motet {

struct HeatMap {
  std::vector<std::string> rows;
  std::vector<std::string> columns;
  std::vector<double> values;  // row by row; NaN leaves the cell empty
  std::string row_title;
  std::string column_title;
  std::string value_title;
  int digits = 2;
};
Plot heat_map(PlotText text, const HeatMap& data);

}  // namespace motet
