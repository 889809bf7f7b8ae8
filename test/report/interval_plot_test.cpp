#include "motet/report/interval_plot.h"

#include <gtest/gtest.h>

#include <cmath>
#include <utility>

#include "motet/report/text_table.h"
#include "report/plot_cases.h"
#include "support/errors.h"

namespace motet::interval_plot_test {
namespace {

const double none = std::nan("");

Intervals intervals_of(std::vector<std::string> names, std::vector<double> value, std::vector<double> low,
                       std::vector<double> high, std::vector<double> truth = {}) {
  return {std::move(names), std::move(value), std::move(low), std::move(high), std::move(truth), "judge", "share", 1};
}

TEST(IntervalPlot, TheLargestValueIsOnTopInPlotAndTable) {
  const Plot plot = interval_plot(
      {"t", "c"}, intervals_of({"a", "b", "c", "d"}, {0.1, none, 0.9, 0.1}, {0, 0, 0.5, 0}, {1, 1, none, 1}));
  EXPECT_EQ(plot.title, "t");
  EXPECT_EQ(plot.caption, "c");
  EXPECT_EQ(plot.spec.at("width").as_text(), "container");
  EXPECT_EQ(to_text(plot.table),
            "judge  share  low  high\nc        0.9  0.5\na        0.1  0.0   1.0\nd        0.1  0.0   1.0\n"
            "b             0.0   1.0\n");
  EXPECT_EQ(rows_of(plot)[0], Value::object({{"name", "c"}, {"value", 0.9}, {"low", 0.5}, {"high", Value()}}));
  EXPECT_EQ(rows_of(plot)[3].at("name").as_text(), "b");
  EXPECT_TRUE(rows_of(plot)[3].at("value").is_null());
  EXPECT_EQ(layers_of(plot), "rule point");
  EXPECT_EQ(encoding_of(plot, 0).at("x").at("field").as_text(), "low");
  EXPECT_EQ(encoding_of(plot, 0).at("x2").at("field").as_text(), "high");
  EXPECT_EQ(encoding_of(plot, 1).at("x").at("field").as_text(), "value");
}

TEST(IntervalPlot, TruthAddsMarksAndAColumn) {
  const Plot plot = interval_plot({}, intervals_of({"a", "b"}, {0.5, 0.3}, {0.4, 0.2}, {0.6, 0.4}, {0.5, none}));
  EXPECT_EQ(layers_of(plot), "rule point point");
  EXPECT_EQ(encoding_of(plot, 2).at("x").at("field").as_text(), "truth");
  EXPECT_EQ(encoding_of(plot, 2).at("shape").at("datum").as_text(), "truth");
  EXPECT_EQ(to_text(plot.table),
            "judge  share  low  high  truth\na        0.5  0.4   0.6    0.5\nb        0.3  0.2   0.4\n");
  EXPECT_TRUE(rows_of(plot)[1].at("truth").is_null());
}

TEST(IntervalPlot, HeightsFollowTheRows) {
  const auto height = [](std::size_t n) {
    const std::vector<double> x(n, 0.5);
    return interval_plot({}, intervals_of(std::vector<std::string>(n, "a"), x, x, x)).spec.at("height").as_number();
  };
  EXPECT_EQ(height(10), 240.0);
  EXPECT_LT(height(5000), 2000.0);
  EXPECT_TRUE(rows_of(interval_plot({}, {})).empty());
}

TEST(IntervalPlot, LengthsMustAgree) {
  const auto told = [](const Intervals& data) {
    return refusal([&] { interval_plot({}, data); }, ErrorKind::internal);
  };
  EXPECT_EQ(told(intervals_of({"a"}, {}, {1}, {1})), "interval_plot: value has 0 entries; 1 are needed");
  EXPECT_EQ(told(intervals_of({"a"}, {1}, {}, {1})), "interval_plot: low has 0 entries; 1 are needed");
  EXPECT_EQ(told(intervals_of({"a"}, {1}, {1}, {})), "interval_plot: high has 0 entries; 1 are needed");
  EXPECT_EQ(told(intervals_of({"a"}, {1}, {1}, {1}, {1, 2})), "interval_plot: truth has 2 entries; 1 are needed");
}

}  // namespace
}  // namespace motet::interval_plot_test
