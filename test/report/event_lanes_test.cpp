#include "motet/report/event_lanes.h"

#include <gtest/gtest.h>

namespace motet::event_lanes_test {
namespace {

TEST(EventLanesPlot, LeavesOutTheShortestBarsWhenThereAreTooMany) {
  EventLanes data;
  data.lanes = {"a"};
  data.time_title = "rows";
  for (std::size_t i = 0; i < most_lane_bars + 5; ++i) {
    data.bars.push_back({0, static_cast<double>(i), static_cast<double>(i) + (i < 5 ? 0.5 : 1.0), 1.0});
  }
  const Plot plot = lanes_plot({"t", "c"}, data);
  EXPECT_EQ(plot.spec.at("data").at("values").as_list().size(), most_lane_bars);
  EXPECT_DOUBLE_EQ(plot.spec.at("data").at("values").as_list()[0].at("begin").as_number(), 5.0);
  EXPECT_EQ(std::get<std::int64_t>(plot.table.rows[0][1]), static_cast<std::int64_t>(most_lane_bars + 5));
}

}  // namespace
}  // namespace motet::event_lanes_test
