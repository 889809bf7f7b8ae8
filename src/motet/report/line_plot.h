// Values over x, ours and published ones, or what theory says.
#pragma once

#include <string>
#include <vector>

#include "motet/report/page.h"

namespace motet {

// A published series is drawn as open markers without a line; give it the name of the series of ours that it belongs
// to, and both have one colour.
struct Series {
  std::string name;
  std::vector<double> x;
  std::vector<double> y;
  std::vector<double> low;  // with `high` a band around the line; both may be empty
  std::vector<double> high;
  bool is_published = false;
};
struct Lines {
  std::vector<Series> series;
  std::string x_title;
  std::string y_title;
  bool log_x = false;  // values that are not positive are then left out
  bool log_y = false;
  bool has_points = true;
  int digits = 4;
  std::string reference = "published";  // what series are called that are not ours
};
Plot line_plot(PlotText text, const Lines& data);

}  // namespace motet
