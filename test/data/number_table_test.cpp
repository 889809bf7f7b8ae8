#include "motet/data/number_table.h"

#include <gtest/gtest.h>

#include "data/table_cases.h"

namespace motet::number_table_test {
namespace {

TEST(NumberTable, HasAsManyRowsAsItsNumbersFill) {
  EXPECT_EQ(five_rows().rows(), 5U);
  EXPECT_EQ(five_rows().row(4)[1], 40.0);
  NumberTable bare;
  EXPECT_EQ(bare.rows(), 0U);
  bare.rows_without_columns = 3;
  EXPECT_EQ(bare.rows(), 3U);
  EXPECT_EQ(rows_of(bare, std::vector<std::uint32_t>{2, 0}).rows(), 2U);
}

TEST(NumberTable, AnItemWithoutANameIsCalledByItsRow) {
  NumberTable numbers = five_rows();
  EXPECT_EQ(item_name(numbers, 0), "1");
  numbers.items = {"p", "q", "r", "s", "t"};
  EXPECT_EQ(item_name(numbers, 3), "s");
}

TEST(NumberTable, SomeRowsKeepTheNamesThatTheWholeGivesThem) {
  const NumberTable part = rows_of(five_rows(), std::vector<std::uint32_t>{4, 1, 1});
  EXPECT_EQ(part.values, (std::vector<double>{4, 40, 1, 10, 1, 10}));
  EXPECT_EQ(part.items, (std::vector<std::string>{"5", "2", "2"}));
  EXPECT_EQ(part.columns, (std::vector<std::string>{"x", "y"}));
  EXPECT_EQ(rows_of(five_rows(), {}).rows(), 0U);
}

}  // namespace
}  // namespace motet::number_table_test
