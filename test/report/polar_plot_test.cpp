#include "motet/report/polar_plot.h"

#include <gtest/gtest.h>

#include "motet/report/text_table.h"
#include "report/plot_cases.h"
#include "support/errors.h"

namespace motet::polar_plot_test {
namespace {

TEST(PolarPlot, UpIsAheadAndLeftIsNinety) {
  const Plot plot = polar_plot({"t", "c"}, {{"a", {0, 90}, {1, 0.5}, false}, {"a", {0, 90}, {1, 0.4}, true}}, "gain");
  EXPECT_EQ(to_text(plot.table),
            "series  source    degrees    gain\n"
            "a       measured        0  1.0000\n"
            "a       measured       90  0.5000\n"
            "a       expected        0  1.0000\n"
            "a       expected       90  0.4000\n");
  const auto rows = rows_of(plot);
  EXPECT_NEAR(rows[0].at("y").as_number(), 1.0, 1e-12);
  EXPECT_NEAR(rows[1].at("x").as_number(), -0.5, 1e-12);
  EXPECT_EQ(rows[2].at("degrees").as_number(), 0.0);  // the curve is closed
  EXPECT_EQ(plot.spec.at("width").as_number(), plot.spec.at("height").as_number());
}

TEST(PolarPlot, LengthsMustAgree) {
  EXPECT_EQ(error_of(
                [] {
                  polar_plot({}, {{"a", {0, 1}, {1}, false}}, "r");
                },
                ErrorKind::internal),
            "polar_plot: radius has 1 entries; 2 are needed");
}

}  // namespace
}  // namespace motet::polar_plot_test
