// Lying bars in the order given; with groups, one bar for each name in each group.
#pragma once

#include <string>
#include <vector>

#include "motet/report/page.h"

namespace motet {

struct Bars {
  std::vector<std::string> names;
  std::vector<double> values;
  std::vector<std::string> groups;  // may be empty; else one per value
  std::vector<double> low;          // with `high` an error bar; both may be empty
  std::vector<double> high;
  std::string name_title;
  std::string value_title;
  int digits = 4;
};
Plot bar_plot(PlotText text, const Bars& data);

}  // namespace motet
