// Points of the plane by kind, with ellipses of components and marked points over them.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "motet/report/page.h"

namespace motet {

struct ScatterPoint {
  double x = 0.0;
  double y = 0.0;
  std::size_t kind = 0;  // number in Scatter::kinds
};

// Rows at Mahalanobis distance `radius` of a mean.
struct ScatterEllipse {
  double x = 0.0;
  double y = 0.0;
  double xx = 1.0;  // covariance
  double xy = 0.0;
  double yy = 1.0;
  std::size_t kind = 0;
  double radius = 2.0;
};

struct Scatter {
  std::vector<std::string> kinds;  // each with a colour and a shape of its own
  std::vector<ScatterPoint> points;
  std::vector<ScatterEllipse> ellipses;
  std::vector<ScatterPoint> marked;  // drawn as crosses; their kind is not looked at
  std::string marked_title;          // "labelled"
  std::string x_title;
  std::string y_title;
};

// Throws Error{internal} for a kind that is not there. The table has the number of points of each kind and the
// ellipses: the points themselves would be too many to read.
Plot scatter_plot(PlotText text, const Scatter& data);

}  // namespace motet
