#include "motet/report/link_plot.h"

#include <gtest/gtest.h>

#include "motet/report/text_table.h"
#include "report/plot_cases.h"
#include "support/errors.h"

namespace motet::link_plot_test {
namespace {

// "A 0 0": name, step and row of every name, in the order drawn.
std::string places_in(const Plot& plot) {
  std::string text;
  for (const Value& row : rows_of(plot)) {
    if (row.find("name") == nullptr) continue;
    text += row.at("name").as_text() + " " + std::to_string(row.at("x").as_whole()) + " " +
            std::to_string(row.at("y").as_whole()) + "; ";
  }
  return text;
}

TEST(LinkPlot, WhatIsBelowStandsBelowAndToTheRight) {
  const Plot plot = link_plot({"t", "c"}, {{"A", "B", "C", "lone"}, {{1}, {2}, {}, {}}, "role", "contains"});
  EXPECT_EQ(places_in(plot), "A 0 0; B 1 1; C 2 2; ");
  EXPECT_EQ(to_text(plot.table), "role  contains\nA     B\nB     C\n");
  EXPECT_EQ(layers_of(plot), "rule[isValid(datum.x2)] point[isValid(datum.name)] text[isValid(datum.name)]");
  EXPECT_EQ(plot.title, "t");
}

TEST(LinkPlot, BelowSeveralItStandsOnceAndRightOfAll) {
  // A -> B -> D and C -> D; C also stands alone at the left.
  const Plot plot = link_plot({}, {{"A", "B", "C", "D"}, {{1, 3}, {3}, {3}, {}}, "a", "b"});
  EXPECT_EQ(places_in(plot), "A 0 0; B 1 1; C 0 3; D 2 2; ");
  EXPECT_EQ(plot.table.rows.size(), 4U);
}

TEST(LinkPlot, LengthsMustAgree) {
  EXPECT_EQ(error_of(
                [] {
                  link_plot({}, {{"A", "B"}, {{1}}, "a", "b"});
                },
                ErrorKind::internal),
            "link_plot: below has 1 entries; 2 are needed");
}

}  // namespace
}  // namespace motet::link_plot_test
