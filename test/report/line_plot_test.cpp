#include "motet/report/line_plot.h"

#include <gtest/gtest.h>

#include <cmath>

#include "motet/report/text_table.h"
#include "report/plot_cases.h"
#include "support/errors.h"

namespace motet::line_plot_test {
namespace {

const double none = std::nan("");

Lines one_series(std::vector<double> x, std::vector<double> y) {
  Lines data{{{"a", std::move(x), std::move(y), {}, {}, false}}, "x", "y"};
  data.digits = 1;
  return data;
}

TEST(LinePlot, OneSeriesNeedsNoNameInTheTable) {
  const Plot plot = line_plot({"t", "c"}, one_series({1, 2}, {3, none}));
  EXPECT_EQ(plot.title, "t");
  EXPECT_EQ(to_text(plot.table), "x    y\n1  3.0\n2\n");  // x of whole numbers without digits
  EXPECT_EQ(to_text(line_plot({}, one_series({1, 2.5}, {3, 4})).table), "  x    y\n1.0  3.0\n2.5  4.0\n");
  EXPECT_EQ(layers_of(plot), "line[datum.source === 'ours'] point[datum.source === 'ours']");
  EXPECT_EQ(rows_of(plot)[0], Value::object({{"series", "a"}, {"source", "ours"}, {"x", 1.0}, {"y", 3.0}}));
  EXPECT_TRUE(rows_of(plot)[1].at("y").is_null());
  EXPECT_TRUE(encoding_of(plot, 0).at("color").at("legend").is_null());
  EXPECT_TRUE(rows_of(line_plot({}, {})).empty());
}

TEST(LinePlot, PointsMayBeLeftOut) {
  Lines data = one_series({1, 2}, {3, 4});
  data.has_points = false;
  EXPECT_EQ(layers_of(line_plot({}, data)), "line[datum.source === 'ours']");
}

TEST(LinePlot, BandsAndPublishedSeriesAddLayersAndColumns) {
  const Series ours{"a", {1, 2}, {3, 4}, {2, none}, {4, 5}, false};
  const Series published{"a", {1}, {3.5}, {}, {}, true};
  Lines data{{ours, published}, "x", "y"};
  data.digits = 1;
  const Plot plot = line_plot({}, data);
  EXPECT_EQ(layers_of(plot),
            "area[isValid(datum.low) && isValid(datum.high)] line[datum.source === 'ours'] "
            "point[datum.source === 'ours'] point[datum.source !== 'ours']");
  EXPECT_EQ(to_text(plot.table),
            "source     x    y  low  high\nours       1  3.0  2.0   4.0\nours       2  4.0        5.0\n"
            "published  1  3.5\n");
  // One colour for both, which have one name.
  EXPECT_EQ(encoding_of(plot, 1).at("color").at("scale").at("domain"), Value::list({"a"}));
  EXPECT_EQ(encoding_of(plot, 3).at("shape").at("datum").as_text(), "published");
  data.reference = "theory";
  EXPECT_NE(to_text(line_plot({}, data).table).find("theory  "), std::string::npos);
  data.series[1].name = "b";
  EXPECT_EQ(encoding_of(line_plot({}, data), 1).at("color").at("scale").at("domain"), Value::list({"a", "b"}));
  EXPECT_EQ(line_plot({}, data).table.columns[0].name, "series");
}

TEST(LinePlot, LogAxesLeaveOutWhatIsNotPositive) {
  Lines data = one_series({0, 10, 1000}, {1, -1, 2});
  data.log_x = data.log_y = true;
  const Plot plot = line_plot({}, data);
  EXPECT_TRUE(rows_of(plot)[0].at("x").is_null());
  EXPECT_TRUE(rows_of(plot)[1].at("y").is_null());
  EXPECT_EQ(rows_of(plot)[2].at("x").as_number(), 1000.0);
  EXPECT_EQ(to_text(plot.table), "   x     y\n   0   1.0\n  10  -1.0\n1000   2.0\n");  // the table keeps them
}

TEST(LinePlot, LogAxesAreTickedByPowersOfTenFromThreeOn) {
  const auto ticks = [](std::vector<double> x) {
    Lines data = one_series(x, std::vector<double>(x.size(), 1.0));
    data.log_x = true;
    const Plot plot = line_plot({}, data);
    const Value* const values = encoding_of(plot, 0).at("x").at("axis").find("values");
    return values == nullptr ? Value() : *values;
  };
  EXPECT_EQ(ticks({10, 1000}), Value::list({10.0, 100.0, 1000.0}));
  EXPECT_EQ(ticks({0.5, 20, -3, none}), Value::list({0.1, 1.0, 10.0, 100.0}));
  EXPECT_TRUE(ticks({20, 90}).is_null());  // two only
  EXPECT_TRUE(ticks({-1, 0}).is_null());
}

TEST(LinePlot, LengthsMustAgree) {
  const auto told = [](const Series& series) {
    return refusal([&] { line_plot({}, {{series}, "", ""}); }, ErrorKind::internal);
  };
  EXPECT_EQ(told({"a", {1}, {}, {}, {}}), "line_plot: y has 0 entries; 1 are needed");
  EXPECT_EQ(told({"a", {1}, {1}, {1}, {}}), "line_plot: high has 0 entries; 1 are needed");
  EXPECT_EQ(told({"a", {1}, {1}, {1, 2}, {1, 2}}), "line_plot: low has 2 entries; 1 are needed");
}

}  // namespace
}  // namespace motet::line_plot_test
