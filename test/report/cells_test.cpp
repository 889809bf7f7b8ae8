#include "motet/report/cells.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>
#include <limits>

namespace motet::cells_test {
namespace {

const double none = std::numeric_limits<double>::quiet_NaN();
const double infinite = std::numeric_limits<double>::infinity();

TEST(Cells, NumbersHaveTheirDigitsAndNoMinusBeforeZero) {
  EXPECT_EQ(cell_text(0.125, 2), "0.12");
  EXPECT_EQ(cell_text(-1.5, 0), "-2");
  EXPECT_EQ(cell_text(-0.004, 2), "0.00");
  EXPECT_EQ(cell_text(-0.0, 0), "0");
  EXPECT_EQ(cell_text(-0.006, 2), "-0.01");
  EXPECT_EQ(cell_text(std::int64_t{-7}, 3), "-7");
  EXPECT_EQ(cell_text("a b", 3), "a b");
}

TEST(Cells, NumbersBeyondADoublesDigitsAreWrittenWithAnExponent) {
  EXPECT_EQ(cell_text(999999999999999.0, 1), "999999999999999.0");
  EXPECT_EQ(cell_text(1e15, 1), "1.0e+15");
  EXPECT_EQ(cell_text(-2.5e300, 2), "-2.50e+300");
  EXPECT_EQ(cell_text(infinite, 2), "inf");
  EXPECT_EQ(cell_text(-infinite, 2), "-inf");
  EXPECT_EQ(cell_text(none, 2), "");
}

TEST(Cells, AllDigitsReadBackAsTheSameNumber) {
  for (const double number : {0.1, -1.0 / 3.0, 5e-324, 1e22, 123456789.0}) {
    EXPECT_EQ(std::strtod(cell_exact(number).c_str(), nullptr), number) << number;
  }
  EXPECT_EQ(cell_exact(0.1), "0.1");
  EXPECT_EQ(cell_exact(none), "");
  EXPECT_EQ(cell_exact(std::int64_t{12}), "12");
  EXPECT_EQ(cell_exact("x"), "x");
}

TEST(Cells, AColumnOfNumbersMayHaveGaps) {
  const Table table{{{"text"}, {"number"}, {"gap"}, {"mixed"}, {"empty"}, {"short"}},
                    {{"a", 1.0, "", std::int64_t{1}, "", 2.0}, {"b", std::int64_t{2}, 3.0, "x", ""}}};
  const bool expected[] = {false, true, true, false, false, true};
  for (std::size_t c = 0; c < 6; ++c) EXPECT_EQ(is_number_column(table, c), expected[c]) << c;
  EXPECT_TRUE(is_number(none));
  EXPECT_TRUE(is_number(std::int64_t{0}));
  EXPECT_FALSE(is_number("1"));
}

}  // namespace
}  // namespace motet::cells_test
