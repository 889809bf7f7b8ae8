#include "motet/sources/density/log_operand.h"

#include <gtest/gtest.h>

#include <cmath>

#include "motet/base/numeric.h"
#include "support/errors.h"

namespace motet::log_operand_test {
namespace {

const Marginal continuous[] = {{Family::gaussian, 0.7, 1.3},    {Family::gaussian, -2.0, 0.4},
                               {Family::exponential, 0.8, 1.0}, {Family::gamma, 2.5, 1.4},
                               {Family::gamma, 0.3, 2.0},       {Family::lognormal, 0.2, 0.5}};

// The density of u = log|xi| is that of xi = +-e^u times e^u.
TEST(LogOperand, IsTheDensityOfTheLogarithm) {
  for (const Marginal& one : continuous) {
    const LogOperand operand(one);
    for (const Sign sign : {Sign::plus, Sign::minus}) {
      EXPECT_EQ(operand.has(sign), sign == Sign::plus || one.family == Family::gaussian);
      if (!operand.has(sign)) continue;
      for (double u = -6.0; u < 3.0; u += 0.37) {
        const double xi = (sign == Sign::plus ? 1.0 : -1.0) * std::exp(u);
        EXPECT_NEAR(operand.at(u, sign), one.log_density(xi) + u, 1e-12 * (1.0 + std::abs(operand.at(u, sign))))
            << family_word(one.family) << " " << u;
      }
    }
    EXPECT_EQ(operand.error(), 0.0);
  }
}

TEST(LogOperand, IsHighestAtItsModeAndFallsOverItsWidth) {
  for (const Marginal& one : continuous) {
    const LogOperand operand(one);
    for (const Sign sign : {Sign::plus, Sign::minus}) {
      if (!operand.has(sign)) continue;
      const double top = operand.at(operand.mode(sign), sign);
      for (const double away : {-0.5, -1e-3, 1e-3, 0.5}) {
        EXPECT_LT(operand.at(operand.mode(sign) + away, sign), top) << family_word(one.family) << " " << away;
      }
      // Four of the steps that a table takes in a width change it by a few units of the logarithm at most.
      EXPECT_GT(operand.at(operand.mode(sign) + 0.8 * operand.width(), sign), top - 3.0);
    }
  }
}

TEST(LogOperand, CountsHaveNoDensityOfALogarithm) {
  for (const Family family : {Family::bernoulli, Family::poisson}) {
    EXPECT_EQ(refusal(
                  [&] {
                    LogOperand(Marginal{family, 0.5, 1.0});
                  },
                  ErrorKind::internal),
              "only continuous families have a density of the logarithm");
  }
}

// x^7 - 2 x^3 + x and its like, which an interpolation of degree 7 gives exactly.
double of_degree_seven(double x) { return ((x * x * x * x - 2.0) * x * x + 1.0) * x; }

TEST(LogTable, ReadsPolynomialsOfDegreeSevenExactly) {
  LogTable table{-1.0, 0.125, {}};
  for (int i = 0; i < 17; ++i) table.values.push_back(of_degree_seven(-1.0 + 0.125 * i));
  for (double u = -1.0; u <= 1.0; u += 0.0371) EXPECT_NEAR(table.at(u), of_degree_seven(u), 1e-12) << u;
  for (int i = 0; i < 17; ++i) EXPECT_EQ(table.at(-1.0 + 0.125 * i), table.values[static_cast<std::size_t>(i)]);
}

TEST(LogTable, GoesOnAsAParabolaThatNeverOpensUpwards) {
  LogTable falling{0.0, 0.5, {}};
  LogTable rising{0.0, 0.5, {}};
  for (int i = 0; i < 10; ++i) {
    const double u = 0.5 * i;
    falling.values.push_back(3.0 + 2.0 * u - u * u);
    rising.values.push_back(u * u);
  }
  for (const double u : {-2.0, -0.3, 4.6, 9.0}) EXPECT_NEAR(falling.at(u), 3.0 + 2.0 * u - u * u, 1e-11) << u;
  // Straight on from the last two values: 4.0^2 and 4.5^2, and from 0 and 0.25.
  EXPECT_NEAR(rising.at(5.5), 20.25 + 2.0 * 4.25, 1e-12);
  EXPECT_NEAR(rising.at(-1.0), -0.5, 1e-12);
}

TEST(LogTable, WithoutValuesIsNothing) {
  EXPECT_EQ(LogTable{}.at(0.0), -infinity);
  EXPECT_EQ(LogTable{}.mode(), 0.0);
  EXPECT_EQ((LogTable{-1.0, 0.5, {0.0, 1.0, 3.0, 2.0}}.mode()), 0.0);
}

TEST(LogOperand, OfTablesHasTheSignsThatOccur) {
  const LogTable some{-2.0, 0.5, {-4.0, -2.0, -1.0, -0.5, 0.0, -0.5, -1.0, -2.0, -4.0}};
  const LogOperand operand({}, some, 0.7, 1e-9);
  EXPECT_FALSE(operand.has(Sign::plus));
  EXPECT_TRUE(operand.has(Sign::minus));
  EXPECT_EQ(operand.at(-1.0, Sign::minus), -1.0);
  EXPECT_EQ(operand.at(-1.0, Sign::plus), -infinity);
  EXPECT_EQ(operand.mode(Sign::minus), 0.0);
  EXPECT_EQ(operand.width(), 0.7);
  EXPECT_EQ(operand.error(), 1e-9);
}

}  // namespace
}  // namespace motet::log_operand_test
