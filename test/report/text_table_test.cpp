#include "motet/report/text_table.h"

#include <gtest/gtest.h>

#include <limits>

namespace motet::text_table_test {
namespace {

const double none = std::numeric_limits<double>::quiet_NaN();

TEST(TextTable, NumbersGoRightAndTextsLeft) {
  const Table table{{{"judge"}, {"votes"}, {"accuracy", 3}, {"note"}},
                    {{"ada", std::int64_t{120}, 0.9312, "x"}, {"Grażyna", std::int64_t{98}, none, ""}}};
  EXPECT_EQ(to_text(table),
            "judge    votes  accuracy  note\n"
            "ada        120     0.931  x\n"
            "Grażyna     98\n");
}

TEST(TextTable, FurtherRowsAreCounted) {
  Table table{{{"n"}}, {}};
  for (std::int64_t i = 0; i < 134; ++i) table.rows.push_back({i});
  EXPECT_EQ(to_text(table, {.max_rows = 2}), "n\n0\n1\n... 132 more rows (all are in --json)\n");
  EXPECT_TRUE(to_text(table, {.max_rows = 133}).ends_with("\n132\n... 1 more row (all are in --json)\n"));
  EXPECT_TRUE(to_text(table, {.max_rows = 134}).ends_with("\n133\n"));
}

TEST(TextTable, LongTextsEndInAnEllipsis) {
  const Table table{{{"name"}, {"n"}}, {{"żółw żółty", std::int64_t{1}}, {"short", std::int64_t{22}}}};
  EXPECT_EQ(to_text(table, {.max_width = 6}),
            "name     n\n"
            "żółw …   1\n"
            "short   22\n");
}

TEST(TextTable, ControlCharactersCannotReachTheTerminal) {
  EXPECT_EQ(to_text({{{"name"}}, {{"a\x1b[31m\nb"}}}), "name\na [31m b\n");
}

TEST(TextTable, OddNumbers) {
  const double infinity = std::numeric_limits<double>::infinity();
  EXPECT_EQ(to_text({{{"x", 2}}, {{-0.001}, {1e300}, {-infinity}, {12.346}}}),
            "        x\n"
            "     0.00\n"
            "1.00e+300\n"
            "     -inf\n"
            "    12.35\n");
}

TEST(TextTable, ShortRowsAndNoColumns) {
  EXPECT_EQ(to_text({{{"a"}, {"b"}}, {{"x"}}}), "a  b\nx\n");
  EXPECT_EQ(to_text(Table{}), "\n");
}

}  // namespace
}  // namespace motet::text_table_test
