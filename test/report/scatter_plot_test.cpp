#include "motet/report/scatter_plot.h"

#include <gtest/gtest.h>

#include <cmath>

#include "motet/report/text_table.h"
#include "report/plot_cases.h"
#include "support/errors.h"

namespace motet::scatter_plot_test {
namespace {

Scatter two_kinds() {
  return {{"owl", "hen"}, {{1.0, 2.0, 1}, {3.0, 4.0, 0}, {5.0, 6.0, 1}}, {}, {}, "labelled", "x1", "x2"};
}

TEST(ScatterPlot, PointsAreDrawnByTheirKind) {
  const Plot plot = scatter_plot({"t", "c"}, two_kinds());
  EXPECT_EQ(plot.title, "t");
  EXPECT_EQ(layers_of(plot), "point[datum.part === 'point']");
  ASSERT_EQ(rows_of(plot).size(), 3U);
  EXPECT_EQ(rows_of(plot)[0], Value::object({{"part", "point"}, {"kind", "hen"}, {"x", 1.0}, {"y", 2.0}}));
  EXPECT_EQ(encoding_of(plot, 0).at("color").at("scale").at("domain"), Value::list({"owl", "hen"}));
  EXPECT_EQ(encoding_of(plot, 0).at("shape").at("field").as_text(), "kind");
}

// Every corner lies at the Mahalanobis distance of the ellipse, and the last is the first again.
TEST(ScatterPlot, EllipsesAreAtTheirDistanceFromTheCentre) {
  Scatter data = two_kinds();
  data.points.clear();
  data.ellipses = {{1.0, -2.0, 4.0, 1.2, 0.8, 0, 1.5}, {0.0, 0.0, 0.0, 0.0, 9.0, 1}};
  const Plot plot = scatter_plot({}, data);
  EXPECT_EQ(layers_of(plot), "point[datum.part === 'point'] line[datum.part === 'ellipse']");
  const Value::List& rows = rows_of(plot);
  ASSERT_EQ(rows.size(), 122U);
  const double determinant = 4.0 * 0.8 - 1.2 * 1.2;
  for (std::size_t i = 0; i < 61; ++i) {
    const double x = rows[i].at("x").as_number() - 1.0;
    const double y = rows[i].at("y").as_number() + 2.0;
    EXPECT_NEAR((0.8 * x * x - 2.0 * 1.2 * x * y + 4.0 * y * y) / determinant, 1.5 * 1.5, 1e-12) << i;
    EXPECT_EQ(rows[i].at("corner"), Value(i));
    EXPECT_EQ(rows[i].at("kind").as_text(), "owl");
    EXPECT_EQ(rows[61 + i].at("x").as_number(), 0.0);  // a column without variance
    EXPECT_LE(std::abs(rows[61 + i].at("y").as_number()), 6.0 + 1e-12);
  }
  EXPECT_NEAR(rows[60].at("y").as_number(), rows[0].at("y").as_number(), 1e-12);
  EXPECT_EQ(rows[61].at("number"), Value(1));
}

TEST(ScatterPlot, TheTableCountsAndNamesTheCentres) {
  Scatter data = two_kinds();
  data.ellipses = {{1.0, -2.0, 1.0, 0.0, 1.0, 1}};
  data.marked = {{3.0, 4.0, 0}, {5.0, 6.0, 0}};
  const Plot plot = scatter_plot({}, data);
  EXPECT_EQ(layers_of(plot),
            "point[datum.part === 'point'] line[datum.part === 'ellipse'] point[datum.part === 'marked']");
  EXPECT_EQ(rows_of(plot).back(), Value::object({{"part", "marked"}, {"x", 5.0}, {"y", 6.0}}));
  EXPECT_EQ(to_text(plot.table),
            "what           points    x1     x2\n"
            "owl                 1\n"
            "hen                 2\n"
            "centre of hen          1.00  -2.00\n"
            "labelled            2\n");
}

TEST(ScatterPlot, AKindThatIsNotThereIsAnErrorOfTheProgram) {
  Scatter data = two_kinds();
  data.points[1].kind = 2;
  EXPECT_EQ(refusal([&] { scatter_plot({}, data); }, ErrorKind::internal), "scatter_plot: a kind that is not there");
  data = two_kinds();
  data.ellipses = {{0.0, 0.0, 1.0, 0.0, 1.0, 7}};
  EXPECT_EQ(refusal([&] { scatter_plot({}, data); }, ErrorKind::internal), "scatter_plot: a kind that is not there");
}

}  // namespace
}  // namespace motet::scatter_plot_test
