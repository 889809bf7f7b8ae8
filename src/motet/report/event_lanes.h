// Events over time: one lane per kind, bars that last and marks at one instant. The reader
// can zoom with the wheel and shift, and drag to move along.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "motet/report/page.h"

namespace motet {

struct LaneBar {
  std::size_t lane = 0;
  double begin = 0.0;
  double end = 0.0;
  double value = 0.0;  // shown with the bar and as its strength, in [0, 1]
};

struct LaneMark {
  std::size_t lane = 0;
  double at = 0.0;
  std::size_t kind = 0;  // number in EventLanes::kinds
  std::string note;
};

struct EventLanes {
  std::vector<std::string> lanes;  // from top to bottom
  std::vector<std::string> kinds;  // of marks; each has its own shape
  std::vector<LaneBar> bars;
  std::vector<LaneMark> marks;
  double end = 0.0;  // of the time axis, which starts at 0
  std::string time_title;
  std::string value_title;
};

// Bars beyond this number are left out of the plot, shortest first; the table counts them all.
constexpr std::size_t most_lane_bars = 3000;

Plot lanes_plot(PlotText text, const EventLanes& data);

}  // namespace motet
