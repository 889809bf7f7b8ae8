#include "motet/report/plot_parts.h"

#include <gtest/gtest.h>

#include <cmath>

#include "support/errors.h"

namespace motet::plot_parts_test {
namespace {

TEST(PlotParts, LengthsThatDifferAreAnErrorOfTheProgram) {
  EXPECT_EQ(refusal([] { require_length("what", 3, 5); }, ErrorKind::internal), "what has 3 entries; 5 are needed");
  EXPECT_EQ(refusal([] { require_length("what", 5, 5); }), "accepted");
}

TEST(PlotParts, OnlyFiniteNumbersAreDrawn) {
  EXPECT_EQ(number_or_null(-2.5), Value(-2.5));
  EXPECT_TRUE(number_or_null(std::nan("")).is_null());
  EXPECT_TRUE(number_or_null(HUGE_VAL).is_null());
}

// 24 pixels a row up to 40, then 15; at least two rows' room, at most about two screens.
TEST(PlotParts, HeightsFollowTheRowsWithinBounds) {
  EXPECT_EQ(height_for(0), 48.0);
  EXPECT_EQ(height_for(2), 48.0);
  EXPECT_EQ(height_for(40), 960.0);
  EXPECT_EQ(height_for(41), 615.0);
  EXPECT_EQ(height_for(1'000'000), 1800.0);
}

TEST(PlotParts, NamesAreLeftOutWhereTheyCouldNotBeRead) {
  EXPECT_EQ(names_down(120, "judge").at("axis").find("labels"), nullptr);
  EXPECT_EQ(names_down(121, "judge").at("axis").at("labels"), Value(false));
  EXPECT_EQ(names_down(1, "judge").at("title"), Value("judge"));
  EXPECT_TRUE(names_down(1, "").at("title").is_null());
  EXPECT_TRUE(names_down(1, "").at("sort").is_null());  // the order of the data
}

TEST(PlotParts, ChannelsNameTheirFieldTypeAndTitle) {
  EXPECT_EQ(numbers("x", "share"), Value::object({{"field", "x"}, {"type", "quantitative"}, {"title", "share"}}));
  EXPECT_EQ(tooltip("x", "share"), Value::object({{"field", "x"}, {"type", "nominal"}, {"title", "share"}}));
  EXPECT_EQ(tooltip("x", "share", 3),
            Value::object({{"field", "x"}, {"type", "quantitative"}, {"title", "share"}, {"format", ".3f"}}));
  EXPECT_EQ(open_diamond("truth").at("scale").at("range"), Value::list({"diamond"}));
  EXPECT_EQ(open_diamond("truth").at("scale").at("domain"), Value::list({"truth"}));
}

TEST(PlotParts, LayersMakeASpecification) {
  const Value all = layer("bar", "e");
  EXPECT_EQ(all, Value::object({{"mark", "bar"}, {"encoding", "e"}}));
  const Value some = only_where(all, "datum.x > 0");
  EXPECT_EQ(some.at("transform"), Value::list({Value::object({{"filter", "datum.x > 0"}})}));
  EXPECT_EQ(some.at("mark"), Value("bar"));
  const Value whole = spec({Value(1)}, 300.0, {all, some});
  EXPECT_EQ(whole, Value::object({{"width", "container"},
                                  {"height", 300.0},
                                  {"data", Value::object({{"values", Value::list({1})}})},
                                  {"layer", Value::list({all, some})}}));
}

}  // namespace
}  // namespace motet::plot_parts_test
