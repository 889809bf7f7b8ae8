#include "motet/io/column_uses.h"

#include "io/support.h"
#include "support/errors.h"

namespace motet::column_uses_test {
namespace {

using Names = std::vector<std::string>;

TEST(ColumnUses, AColumnHasOneUse) {
  const TemporaryFolder folder;
  const Names names = {"a", "b", "c"};
  ColumnUses uses("x.csv:1", names);
  EXPECT_EQ(uses.take(uses.required("b")), 1U);
  EXPECT_FALSE(uses.is_free(1));
  EXPECT_TRUE(uses.is_free(0));
  EXPECT_EQ(uses.take_if_free("b"), ColumnUses::absent);
  EXPECT_EQ(uses.take_if_free("d"), ColumnUses::absent);
  EXPECT_EQ(uses.take_if_free("c"), 2U);
  EXPECT_FALSE(uses.is_free(2));
  EXPECT_EQ(folder.error_of([&] { uses.take(2); }), "x.csv:1: column 'c' is named for two uses");
}

TEST(ColumnUses, Errors) {
  const TemporaryFolder folder;
  const Names names = {"a", "b"};
  const ColumnUses uses("x.csv", names);
  EXPECT_EQ(folder.error_of([&] { uses.required("d"); }), "x.csv: there is no column 'd'; found 'a', 'b'");
  EXPECT_EQ(folder.error_of([&] { uses.required("d", "leave-out names"); }),
            "x.csv: there is no column 'd', which leave-out names; found 'a', 'b'");
  const Names repeated = {"a", "b", "a"};
  EXPECT_EQ(folder.error_of([&] { ColumnUses("x.csv", repeated); }), "x.csv: column 'a' appears twice");
}

}  // namespace
}  // namespace motet::column_uses_test
