#include "motet/report/bar_plot.h"

#include <gtest/gtest.h>

#include <cmath>
#include <utility>

#include "motet/report/text_table.h"
#include "report/plot_cases.h"
#include "support/errors.h"

namespace motet::bar_plot_test {
namespace {

Bars bars_of(std::vector<std::string> names, std::vector<double> values, std::vector<std::string> groups = {},
             std::vector<double> low = {}, std::vector<double> high = {}) {
  return {std::move(names), std::move(values), std::move(groups), std::move(low), std::move(high), "name", "value", 1};
}

TEST(BarPlot, NamesAndValuesStandInTheOrderGiven) {
  const Plot plot = bar_plot({"t", "c"}, bars_of({"b", "a"}, {1.0, 2.5}));
  EXPECT_EQ(plot.title, "t");
  EXPECT_EQ(plot.caption, "c");
  EXPECT_EQ(rows_of(plot), (Value::List{Value::object({{"name", "b"}, {"value", 1.0}}),
                                        Value::object({{"name", "a"}, {"value", 2.5}})}));
  EXPECT_EQ(to_text(plot.table), "name  value\nb       1.0\na       2.5\n");
  EXPECT_EQ(layers_of(plot), "bar text");
  EXPECT_EQ(encoding_of(plot, 1).at("text").at("format").as_text(), ".1f");
  // Room for the number beside the longest bar.
  EXPECT_DOUBLE_EQ(encoding_of(plot, 0).at("x").at("scale").at("domainMax").as_number(), 2.5 * 1.12);
}

TEST(BarPlot, GroupsAreBarsBesideEachOther) {
  Bars data = bars_of({"a", "a", "b", "b"}, {1, 2, 3, 4}, {"g", "h", "g", "h"});
  data.digits = 0;
  const Plot plot = bar_plot({}, data);
  EXPECT_EQ(to_text(plot.table),
            "name  group  value\na     g          1\na     h          2\nb     g          3\nb     h          4\n");
  EXPECT_EQ(encoding_of(plot, 0).at("yOffset").at("field").as_text(), "group");
  EXPECT_EQ(encoding_of(plot, 0).at("color").at("field").as_text(), "group");
  EXPECT_EQ(rows_of(plot)[3].at("group").as_text(), "h");
  Bars alone = data;
  alone.groups.clear();
  EXPECT_EQ(encoding_of(bar_plot({}, alone), 0).find("yOffset"), nullptr);
}

TEST(BarPlot, ErrorsAreRulesInPlaceOfNumbers) {
  const Plot plot = bar_plot({}, bars_of({"a"}, {2}, {}, {1.5}, {std::nan("")}));
  EXPECT_EQ(layers_of(plot), "bar rule");
  EXPECT_EQ(encoding_of(plot, 1).at("x2").at("field").as_text(), "high");
  EXPECT_EQ(rows_of(plot)[0].at("low").as_number(), 1.5);
  EXPECT_TRUE(rows_of(plot)[0].at("high").is_null());
  EXPECT_EQ(to_text(plot.table), "name  value  low  high\na       2.0  1.5\n");
}

TEST(BarPlot, ManyBarsHaveNoNumbersAndNothingAboveZeroNoRoomForThem) {
  const auto layers = [](std::size_t count) {
    return layers_of(bar_plot({}, bars_of(std::vector<std::string>(count, "a"), std::vector<double>(count, 1.0))));
  };
  EXPECT_EQ(layers(60), "bar text");
  EXPECT_EQ(layers(61), "bar");
  const Plot below = bar_plot({}, bars_of({"a", "b"}, {-1.0, std::nan("")}));
  EXPECT_EQ(encoding_of(below, 0).at("x").find("scale"), nullptr);
  EXPECT_TRUE(rows_of(below)[1].at("value").is_null());
  EXPECT_TRUE(rows_of(bar_plot({}, {})).empty());
}

TEST(BarPlot, LengthsMustAgree) {
  const auto told = [](const Bars& data) { return refusal([&] { bar_plot({}, data); }, ErrorKind::internal); };
  EXPECT_EQ(told(bars_of({"a"}, {})), "bar_plot: values has 0 entries; 1 are needed");
  EXPECT_EQ(told(bars_of({"a"}, {1}, {"g", "h"})), "bar_plot: groups has 2 entries; 1 are needed");
  EXPECT_EQ(told(bars_of({"a"}, {1}, {}, {1}, {})), "bar_plot: high has 0 entries; 1 are needed");
  EXPECT_EQ(told(bars_of({"a"}, {1}, {}, {1, 2}, {1, 2})), "bar_plot: low has 2 entries; 1 are needed");
}

}  // namespace
}  // namespace motet::bar_plot_test
