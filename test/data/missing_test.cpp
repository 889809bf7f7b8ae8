#include "motet/data/missing.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace motet::missing_test {
namespace {

constexpr double gone = std::numeric_limits<double>::quiet_NaN();

NumberTable table() { return {{"x", "y", "z"}, {3, gone, gone, 1, 5, gone, 2, 4, gone, 9, gone, gone}, {}, 0}; }

TEST(MiddleValues, AreValuesOfTheColumnAndZeroOfNone) {
  EXPECT_EQ(middle_values(table()), (std::vector<double>{2.0, 4.0, 0.0}));
}

TEST(FillMissing, PutsTheMiddleValueWhereNoneIsAndLeavesItTheMiddle) {
  NumberTable numbers = table();
  EXPECT_EQ(count_missing(numbers), 6U);
  EXPECT_EQ(fill_missing(numbers, middle_values(numbers)), 6U);
  EXPECT_EQ(numbers.values, (std::vector<double>{3, 4, 0, 1, 5, 0, 2, 4, 0, 9, 4, 0}));
  EXPECT_EQ(count_missing(numbers), 0U);
  EXPECT_EQ(middle_values(numbers), (std::vector<double>{2.0, 4.0, 0.0}));
}

}  // namespace
}  // namespace motet::missing_test
