// Values with intervals: one dot for each name with a bar from low to high, the largest value on top.
#pragma once

#include <string>
#include <vector>

#include "motet/report/page.h"

namespace motet {

struct Intervals {
  std::vector<std::string> names;
  std::vector<double> value;
  std::vector<double> low;
  std::vector<double> high;
  std::vector<double> truth;  // may be empty; NaN where unknown
  std::string name_title;     // "judge"
  std::string value_title;    // "accuracy"
  int digits = 4;
};
Plot interval_plot(PlotText text, const Intervals& data);

}  // namespace motet
