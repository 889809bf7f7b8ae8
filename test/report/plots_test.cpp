#include "motet/report/plots.h"

#include <gtest/gtest.h>

#include <limits>
#include <string>

#include "motet/base/error.h"

namespace motet::plots_test {
namespace {

const double none = std::numeric_limits<double>::quiet_NaN();

const Value::List& rows_of(const Plot& plot) { return plot.spec.at("data").at("values").as_list(); }

std::string message_of(const std::function<void()>& call) {
  try {
    call();
  } catch (const Error& error) {
    return error.what();
  }
  return "no error";
}

TEST(Plots, IntervalsAreSortedInPlotAndTable) {
  const Plot plot =
      interval_plot({"t", "c"}, {{"a", "b", "c"}, {0.1, none, 0.9}, {0, 0, 0}, {1, 1, 1}, {}, "j", "acc"});
  EXPECT_EQ(plot.title, "t");
  EXPECT_EQ(rows_of(plot)[0].at("name").as_text(), "c");
  EXPECT_EQ(rows_of(plot)[2].at("name").as_text(), "b");
  EXPECT_TRUE(rows_of(plot)[2].at("value").is_null());
  EXPECT_EQ(std::get<std::string>(plot.table.rows[0][0]), "c");
  EXPECT_EQ(plot.table.columns.size(), 4U);
  EXPECT_EQ(plot.spec.at("layer").as_list().size(), 2U);
  EXPECT_EQ(plot.spec.at("width").as_text(), "container");
}

TEST(Plots, TruthAddsALayerAndAColumn) {
  const Plot plot = interval_plot({"", ""}, {{"a"}, {0.5}, {0.4}, {0.6}, {0.55}, "j", "acc"});
  EXPECT_EQ(plot.spec.at("layer").as_list().size(), 3U);
  EXPECT_EQ(plot.table.columns.back().name, "truth");
}

TEST(Plots, HeightsFollowTheRows) {
  const auto height = [](std::size_t n) {
    const std::vector<double> x(n, 0.5);
    std::vector<std::string> names;
    for (std::size_t i = 0; i < n; ++i) names.push_back(std::to_string(i));
    return interval_plot({"", ""}, {names, x, x, x, {}, "", ""}).spec.at("height").as_number();
  };
  EXPECT_EQ(height(10), 240.0);
  EXPECT_LT(height(5000), 2000.0);
}

TEST(Plots, HeatMapKeepsTheMatrix) {
  const Plot plot = heat_map({"", ""}, {{"r", "s"}, {"x", "y", "z"}, {1, 2, 3, 4, none, 6}, "row", "column", "n"});
  EXPECT_EQ(rows_of(plot).size(), 6U);
  EXPECT_TRUE(rows_of(plot)[4].at("value").is_null());
  EXPECT_EQ(std::get<double>(plot.table.rows[1][3]), 6.0);
  EXPECT_EQ(plot.table.columns[3].name, "z");
}

TEST(Plots, LogAxesLeaveOutWhatIsNotPositive) {
  const Plot plot = line_plot({"", ""}, {{{"a", {0, 10, 1000}, {1, -1, 2}, {}, {}, false}}, "x", "y", true, true});
  EXPECT_TRUE(rows_of(plot)[0].at("x").is_null());
  EXPECT_TRUE(rows_of(plot)[1].at("y").is_null());
  EXPECT_EQ(std::get<double>(plot.table.rows[1][1]), -1.0);  // the table keeps it
}

TEST(Plots, LinesWithBandsAndPublishedSeries) {
  const Series ours{"a", {1, 2}, {3, 4}, {2, 3}, {4, 5}, false};
  const Series published{"a", {1}, {3.1}, {}, {}, true};
  const Plot plot = line_plot({"", ""}, {{ours, published}, "x", "y"});
  EXPECT_EQ(plot.spec.at("layer").as_list().size(), 4U);  // band, line, points, open marks
  EXPECT_EQ(plot.table.rows.size(), 3U);
  EXPECT_EQ(std::get<std::string>(plot.table.rows[2][0]), "published");
}

TEST(Plots, GroupedBars) {
  const Plot plot = bar_plot({"", ""}, {{"a", "a"}, {1, 2}, {"g", "h"}, {}, {}, "name", "value"});
  EXPECT_EQ(plot.table.columns[1].name, "group");
  EXPECT_NE(plot.spec.at("layer").as_list()[0].at("encoding").find("yOffset"), nullptr);
}

TEST(Plots, EmptyDataGiveAnEmptyPlot) {
  EXPECT_TRUE(rows_of(interval_plot({"", ""}, {})).empty());
  EXPECT_TRUE(rows_of(heat_map({"", ""}, {})).empty());
  EXPECT_TRUE(rows_of(line_plot({"", ""}, {})).empty());
  EXPECT_TRUE(rows_of(bar_plot({"", ""}, {})).empty());
}

TEST(Plots, LengthsMustAgree) {
  EXPECT_EQ(message_of([] {
              interval_plot({"", ""}, {{"a"}, {1}, {1}, {}, {}, "", ""});
            }),
            "interval_plot: high has 0 entries; 1 are needed");
  EXPECT_EQ(message_of([] {
              heat_map({"", ""}, {{"a"}, {"b"}, {}, "", "", ""});
            }),
            "heat_map: values has 0 entries; 1 are needed");
  EXPECT_EQ(message_of([] {
              line_plot({"", ""}, {{{"a", {1}, {}, {}, {}, false}}, "", ""});
            }),
            "line_plot: y has 0 entries; 1 are needed");
  EXPECT_EQ(message_of([] {
              bar_plot({"", ""}, {{"a"}, {}, {}, {}, {}, "", ""});
            }),
            "bar_plot: values has 0 entries; 1 are needed");
}

}  // namespace
}  // namespace motet::plots_test
