#include "motet/report/box_plot.h"

#include <gtest/gtest.h>

#include <cmath>

#include "motet/report/text_table.h"
#include "report/plot_cases.h"
#include "support/errors.h"

namespace motet::box_plot_test {
namespace {

const double none = std::nan("");

TEST(BoxPlot, WhiskersEndWithinOneAndAHalfBoxes) {
  // Quartiles 2, 3, 4: the reach is 3, from -1 to 7.
  const Plot plot = box_plot({"t", "c"}, {{{"owl", {2.0, 9.0, 3.0, none, 4.0, -1.0}}}, "bird", "questions", false, 1});
  EXPECT_EQ(plot.title, "t");
  EXPECT_EQ(plot.caption, "c");
  ASSERT_EQ(rows_of(plot).size(), 2U);
  EXPECT_EQ(rows_of(plot)[0], Value::object({{"part", "box"},
                                             {"name", "owl"},
                                             {"low", -1.0},
                                             {"first", 2.0},
                                             {"median", 3.0},
                                             {"third", 4.0},
                                             {"high", 4.0}}));
  EXPECT_EQ(rows_of(plot)[1], Value::object({{"part", "beyond"}, {"name", "owl"}, {"value", 9.0}}));
  EXPECT_EQ(layers_of(plot),
            "rule[datum.part === 'box'] bar[datum.part === 'box'] tick[datum.part === 'box'] "
            "point[datum.part === 'beyond']");
  EXPECT_EQ(encoding_of(plot, 0).at("x2").at("field").as_text(), "high");
  EXPECT_EQ(encoding_of(plot, 1).at("x").at("field").as_text(), "first");
  EXPECT_EQ(encoding_of(plot, 1).find("color"), nullptr);
  EXPECT_EQ(to_text(plot.table),
            "bird  values  least  25 %  median  75 %  most\nowl        5   -1.0   2.0     3.0   4.0   9.0\n");
}

TEST(BoxPlot, GroupsLieBesideEachOther) {
  const Boxes data = {{{"owl", {1.0}, "new"}, {"owl", {2.0}, "old"}, {"hen", {}, "new"}}, "bird", "x", false, 1};
  const Plot plot = box_plot({}, data);
  ASSERT_EQ(rows_of(plot).size(), 2U);
  EXPECT_EQ(rows_of(plot)[1].at("group").as_text(), "old");
  EXPECT_EQ(encoding_of(plot, 0).at("yOffset").at("field").as_text(), "group");
  EXPECT_EQ(encoding_of(plot, 1).at("color").at("field").as_text(), "group");
  EXPECT_EQ(to_text(plot.table),
            "bird  group  values  least  25 %  median  75 %  most\n"
            "owl   new         1    1.0   1.0     1.0   1.0   1.0\n"
            "owl   old         1    2.0   2.0     2.0   2.0   2.0\n"
            "hen   new         0\n");
}

TEST(BoxPlot, ALogarithmicAxisHasNoZero) {
  const Plot plot = box_plot({}, {{{"owl", {0.0, 1.0, 10.0}}}, "bird", "x", true, 1});
  EXPECT_EQ(rows_of(plot)[0].at("low").as_number(), 1.0);
  EXPECT_EQ(encoding_of(plot, 0).at("x").at("scale").at("type").as_text(), "log");
  EXPECT_EQ(plot.table.rows[0][2], Cell(0.0));
}

TEST(BoxPlot, AllBoxesHaveAGroupOrNone) {
  const Boxes data = {{{"owl", {1.0}, "new"}, {"hen", {1.0}}}, "bird", "x"};
  EXPECT_EQ(refusal([&] { box_plot({}, data); }, ErrorKind::internal), "box_plot: groups has 1 entries; 2 are needed");
  EXPECT_TRUE(rows_of(box_plot({}, {})).empty());
}

}  // namespace
}  // namespace motet::box_plot_test
