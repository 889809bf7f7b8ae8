#include "motet/io/item_table.h"

#include "io/item_cases.h"
#include "support/errors.h"

namespace motet::item_table_test {
namespace {

using Numbers = std::vector<double>;

// Columns item, x, place of three words, word of two, and labels a (of words) and b.
std::vector<ItemColumn> all_columns() {
  return {{"item", {}}, {"x", {}}, {"place", {"2", "far", "7"}}, {"word", {"no", "yes"}}, {"a", {"1", "0"}}, {"b", {}}};
}

ItemTable table_of(const std::vector<ItemColumn>& columns, LabelledFormat format = counted(2)) {
  return {"x.arff", columns, plan_columns("x.arff", columns, format, {}), {format.needs_labels, format.keeps_missing}};
}

void put_row(ItemTable& table, std::size_t line, const std::vector<std::string>& cells) {
  table.begin_row(line);
  for (std::size_t c = 0; c < cells.size(); ++c) table.put(c, cells[c]);
}

TEST(ItemTable, CellsGoWhereTheirColumnSays) {
  ItemTable table = table_of(all_columns());
  put_row(table, 7, {"p", "0.5", "far", "yes", "0", "true"});
  put_row(table, 8, {"q", "+1e3", "7", "no", "1", "0"});
  const LabelledItems items = table.finish();
  EXPECT_EQ(items.features.columns, (std::vector<std::string>{"x", "place=2", "place=far", "place=7", "word"}));
  EXPECT_EQ(items.features.values, (Numbers{0.5, 0, 1, 0, 1, 1000, 0, 0, 1, 0}));
  EXPECT_EQ(items.features.items, (std::vector<std::string>{"p", "q"}));
  EXPECT_EQ(items.features.rows(), 2U);
  EXPECT_EQ(sets_of(items), "b;a");
}

TEST(ItemTable, WhatIsLeftOutIsZeroOrTheFirstWord) {
  std::vector<ItemColumn> columns = all_columns();
  columns.erase(columns.begin());
  ItemTable table = table_of(columns);
  table.begin_row(1);
  table.begin_row(2);
  table.put(1, "7");
  table.put(3, "0");
  const LabelledItems items = table.finish();
  EXPECT_EQ(items.features.values, (Numbers{0, 1, 0, 0, 0, 0, 0, 0, 1, 0}));
  EXPECT_EQ(sets_of(items), "a;");  // the first word of a says 1
  EXPECT_TRUE(items.features.items.empty());
}

TEST(ItemTable, SetsOfManyLabelsHaveTheirOwnBits) {
  std::vector<ItemColumn> columns = {{"x", {}}};
  for (int k = 0; k < 70; ++k) columns.push_back({"l" + std::to_string(k), {}});
  ItemTable table = table_of(columns, counted(70));
  for (std::size_t n = 0; n < 3; ++n) {
    table.begin_row(n + 1);
    table.put(0, "1");
    for (std::size_t k = 0; k < 70; ++k) table.put(k + 1, k % 3 == n ? "1" : "0");
  }
  const LabelledItems items = table.finish();
  for (std::size_t n = 0; n < 3; ++n) {
    for (std::size_t k = 0; k < 70; ++k) EXPECT_EQ(items.sets(n, k), k % 3 == n) << n << " " << k;
  }
}

TEST(ItemTable, LabelsMayBeMissingWhereNoneAreNeeded) {
  const std::vector<ItemColumn> columns = {{"x", {}}, {"a", {}}};
  LabelledFormat format = counted(1);
  format.needs_labels = false;
  for (const bool is_empty : {false, true}) {
    ItemTable table = table_of(columns, format);
    put_row(table, 1, {"1", "1"});
    table.begin_row(2);
    table.put(0, "2");
    is_empty ? table.put(1, "") : table.put_missing(1);
    const LabelledItems items = table.finish();
    EXPECT_FALSE(items.has_sets());
    EXPECT_EQ(items.labels, std::vector<std::string>{"a"});
    EXPECT_EQ(items.features.values, (Numbers{1, 2}));
  }
}

TEST(ItemTable, MissingFeaturesAreKeptWhereTheyMayBe) {
  std::vector<ItemColumn> columns = {{"x", {}}, {"colour", {"red", "green", "blue"}}, {"a", {}}, {"b", {}}};
  LabelledFormat format = counted(2);
  format.keeps_missing = true;
  ItemTable table = table_of(columns, format);
  table.begin_row(2);
  table.put(0, "");
  table.put_missing(1);
  table.put(2, "1");
  table.put(3, "0");
  const LabelledItems items = table.finish();
  ASSERT_EQ(items.features.values.size(), 4U);
  for (const double value : items.features.values) EXPECT_TRUE(std::isnan(value));
  EXPECT_TRUE(items.sets(0, 0));
}

TEST(ItemTable, CellsThatCannotBeAreToldWithItemAndColumn) {
  const auto told = [](std::size_t column, std::string_view cell) {
    ItemTable table = table_of(all_columns());
    put_row(table, 4, {"p"});
    table.begin_row(9);
    return refusal([&] { cell == "?" ? table.put_missing(column) : table.put(column, cell); });
  };
  EXPECT_EQ(told(1, "one"),
            "x.arff:9: item 2 column 'x' is 'one', which is no number; leave a column of text out with --leave-out");
  EXPECT_EQ(told(1, "nan"), "x.arff:9: item 2 column 'x' is 'nan'; every feature needs a finite number");
  EXPECT_EQ(told(1, "1e999"), "x.arff:9: item 2 column 'x' is '1e999'; every feature needs a finite number");
  EXPECT_EQ(told(1, ""),
            "x.arff:9: item 2 column 'x' is empty; every feature needs a number: fill it in or leave the item out");
  EXPECT_EQ(told(1, "?"),
            "x.arff:9: item 2 column 'x' is missing (?); fill missing values in, leave the item out, or leave the "
            "column out with --leave-out");
  EXPECT_EQ(told(2, "3"), "x.arff:9: item 2 column 'place' is '3', which is not one of '2', 'far', '7'");
  EXPECT_EQ(told(4, "2"), "x.arff:9: item 2 column 'a' is '2', which is not one of '1', '0'");
  EXPECT_EQ(told(4, "?").substr(0, 42), "x.arff:9: item 2 column 'a' is missing (?)");
  EXPECT_EQ(told(5, "2"), "x.arff:9: item 2 column 'b' is '2'; a label is 0 or 1");
  EXPECT_EQ(told(5, ""), "x.arff:9: item 2 column 'b' is empty; a label is 0 or 1");
  EXPECT_EQ(told(0, "p"), "x.arff:9: item 'p' appears twice (first on line 4); keep one");
}

TEST(ItemTable, ATableWithoutItemsOrWithSomeNamesIsRefused) {
  ItemTable none = table_of(all_columns());
  EXPECT_EQ(refusal([&] { none.finish(); }), "x.arff: there are no items in it");
  ItemTable some = table_of(all_columns());
  put_row(some, 1, {"p"});
  some.begin_row(2);
  EXPECT_EQ(refusal([&] { some.finish(); }), "x.arff: some items have no name");
}

}  // namespace
}  // namespace motet::item_table_test
