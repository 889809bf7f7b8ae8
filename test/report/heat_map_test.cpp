#include "motet/report/heat_map.h"

#include <gtest/gtest.h>

#include <cmath>

#include "motet/report/text_table.h"
#include "report/plot_cases.h"
#include "support/errors.h"

namespace motet::heat_map_test {
namespace {

const double none = std::nan("");

HeatMap matrix(std::size_t rows, std::size_t columns, double value, const std::string& name = "x") {
  return {std::vector<std::string>(rows, "r"),
          std::vector<std::string>(columns, name),
          std::vector<double>(rows * columns, value),
          "row",
          "column",
          "n"};
}

Value domain_of(std::vector<double> values) {
  HeatMap data = matrix(1, values.size(), 0.0);
  data.values = std::move(values);
  return encoding_of(heat_map({}, data), 0).at("color").at("scale").at("domain");
}

TEST(HeatMap, KeepsTheMatrixRowByRow) {
  const Plot plot = heat_map({"t", "c"}, {{"r", "s"}, {"x", "y", "z"}, {1, 2, 3, 4, none, 6}, "row", "column", "n", 1});
  EXPECT_EQ(plot.title, "t");
  EXPECT_EQ(to_text(plot.table), "row    x    y    z\nr    1.0  2.0  3.0\ns    4.0       6.0\n");
  ASSERT_EQ(rows_of(plot).size(), 6U);
  EXPECT_EQ(rows_of(plot)[2], Value::object({{"name", "r"}, {"column", "z"}, {"value", 3.0}}));
  EXPECT_TRUE(rows_of(plot)[4].at("value").is_null());
  EXPECT_EQ(encoding_of(plot, 0).at("color").at("title").as_text(), "n");
  EXPECT_EQ(encoding_of(plot, 0).at("x").at("title").as_text(), "column");
}

TEST(HeatMap, NumbersStandInTheCellsWhileThereIsRoom) {
  const Plot few = heat_map({}, matrix(40, 16, 0.25));
  EXPECT_EQ(layers_of(few), "rect text[isValid(datum.value)]");
  EXPECT_EQ(encoding_of(few, 1).at("text").at("format").as_text(), ".2f");
  EXPECT_TRUE(encoding_of(few, 0).at("color").at("legend").is_null());
  for (const Plot& many : {heat_map({}, matrix(41, 2, 0.25)), heat_map({}, matrix(2, 17, 0.25))}) {
    EXPECT_EQ(layers_of(many), "rect");
    EXPECT_FALSE(encoding_of(many, 0).at("color").at("legend").is_null());
  }
}

TEST(HeatMap, ColoursOfSharesReachFromZeroToOneAndOthersAsFarAsTheValues) {
  EXPECT_EQ(domain_of({0.25, none, 0.5}), Value::list({0.0, 1.0}));
  EXPECT_EQ(domain_of({-2.0, none, 5.0}), Value::list({-2.0, 5.0}));
  EXPECT_EQ(domain_of({0.5, 3.0}), Value::list({0.5, 3.0}));
  EXPECT_EQ(domain_of({none, none}), Value::list({0.0, 1.0}));
  // Ink changes in the middle of the ramp.
  HeatMap data = matrix(1, 2, 0.0);
  data.values = {-2.0, 6.0};
  EXPECT_EQ(encoding_of(heat_map({}, data), 1).at("color").at("condition").at("test").as_text(), "datum.value > 2");
}

TEST(HeatMap, LongNamesSlantAndCellsAreWideEnoughForShortOnes) {
  const auto slant = [](const Plot& plot) {
    return encoding_of(plot, 0).at("x").at("axis").at("labelAngle").as_whole();
  };
  const auto width = [](const Plot& plot) { return plot.spec.at("usermeta").at("min_width").as_number(); };
  const Plot shorter = heat_map({}, matrix(2, 9, 0.5, "ten letter"));
  EXPECT_EQ(slant(shorter), 0);
  EXPECT_EQ(width(shorter), 130.0 + 9 * 75.0);
  const Plot longer = heat_map({}, matrix(2, 10, 0.5, "ten letter"));
  EXPECT_EQ(slant(longer), -60);
  EXPECT_EQ(width(longer), 130.0 + 10 * 40.0);
  EXPECT_EQ(width(heat_map({}, matrix(2, 100, 0.5, "ten letter"))), 130.0 + 100 * 8.0);
}

TEST(HeatMap, LengthsMustAgreeAndNothingIsAnEmptyPlot) {
  HeatMap data = matrix(1, 2, 0.0);
  data.values.pop_back();
  EXPECT_EQ(refusal([&] { heat_map({}, data); }, ErrorKind::internal), "heat_map: values has 1 entries; 2 are needed");
  EXPECT_TRUE(rows_of(heat_map({}, {})).empty());
}

}  // namespace
}  // namespace motet::heat_map_test
