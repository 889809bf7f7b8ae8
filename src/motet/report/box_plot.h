// Samples as boxes, one for each name, or one for each name in each group: a box from the first to the third quartile
// with a line at the median, whiskers to the furthest values within 1.5 times the length of the box, and a circle for
// each value beyond.
#pragma once

#include <string>
#include <vector>

#include "motet/report/page.h"

namespace motet {

struct Box {
  std::string name;
  std::vector<double> values;  // in any order; those that are no number are left out
  std::string group = {};      // of all boxes or of none
};

struct Boxes {
  std::vector<Box> boxes;
  std::string name_title;   // "recording"
  std::string value_title;  // "questions"
  bool log_values = false;  // values that are not positive are then left out of the picture
  int digits = 2;
};

// The table has the number of values of each, the least, the quartiles and the most.
Plot box_plot(PlotText text, const Boxes& data);

}  // namespace motet
