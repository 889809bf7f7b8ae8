// What depends on a direction, as curves around a point: 0 degrees is up, 90 left.
#pragma once

#include <string>
#include <vector>

#include "motet/report/page.h"

namespace motet {

struct PolarCurve {
  std::string name;
  std::vector<double> degrees;  // rising, once around
  std::vector<double> radius;
  bool is_expected = false;  // drawn as open marks without a line
};

// `what`: the heading of the radii in the table.
Plot polar_plot(PlotText text, const std::vector<PolarCurve>& curves, const std::string& what);

}  // namespace motet
