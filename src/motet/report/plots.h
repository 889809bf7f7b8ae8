// The plots most results need, each with the table of its numbers.
//
// Widths follow the page, heights the number of rows. Series differ in shape or
// dash as well as in colour. Each function throws Error{internal} when the lengths
// of its lists differ; a value that is NaN is left out of the plot.
#pragma once

#include <string>
#include <vector>

#include "motet/report/page.h"

namespace motet {

struct PlotText {
  std::string title;
  std::string caption;
};

// One dot a name with a bar from low to high, the largest value on top.
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

// A matrix as coloured cells, with the numbers in them when there is room.
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

// Values over x. A published series is drawn as open markers without a line; give
// it the name of the series of ours it belongs to, and both have one colour.
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
};
Plot line_plot(PlotText text, const Lines& data);

// Lying bars in the order given; with groups, one bar a name in each group.
struct Bars {
  std::vector<std::string> names;
  std::vector<double> values;
  std::vector<std::string> groups;  // may be empty; else one a value
  std::vector<double> low;          // with `high` an error bar; both may be empty
  std::vector<double> high;
  std::string name_title;
  std::string value_title;
  int digits = 4;
};
Plot bar_plot(PlotText text, const Bars& data);

}  // namespace motet
