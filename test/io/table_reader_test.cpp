#include "motet/io/table_reader.h"

#include <cmath>

#include "io/support.h"
#include "support/errors.h"

namespace motet::table_reader_test {
namespace {

using Names = std::vector<std::string>;

TEST(TableReader, FindsRolesByTheirNamesInOrder) {
  const TemporaryFolder folder;
  const TableReader table(folder.write("x.csv", "task,Account,USER,item\n"));
  EXPECT_EQ(table.find({"item", {"task"}}).place, 3U);
  EXPECT_EQ(table.find({"label", {"task"}}).place, 0U);
  EXPECT_EQ(table.find({"label", {"task"}}).name, "label");
  EXPECT_FALSE(table.find({"user"}).is_there());
  EXPECT_EQ(table.find({"user", {"account"}, true}).place, 2U);
  EXPECT_EQ(table.find({"identity", {"account"}, true}).place, 1U);
  EXPECT_FALSE(table.has_number());
}

TEST(TableReader, TellsWhichColumnsAreNeeded) {
  const TemporaryFolder folder;
  const TableReader table(folder.write("x.csv", "\n\na,b,A,a\n"));
  const FoundColumn a = table.find({"a"});
  const FoundColumn c = table.find({"c"});
  table.require({a});
  table.require_once({table.find({"b"}), c});
  EXPECT_EQ(folder.error_of([&] { table.require({c}); }), "x.csv:3: a column 'c' is needed; found 'a', 'b', 'A', 'a'");
  EXPECT_EQ(folder.error_of([&] {
    table.require({c, a}, " (or 'd')", " here");
  }),
            "x.csv:3: columns 'c' and 'a' are needed (or 'd'); found 'a', 'b', 'A', 'a' here");
  EXPECT_EQ(folder.error_of([&] {
    table.require({a, a, c});
  }),
            "x.csv:3: columns 'a', 'a' and 'c' are needed; found 'a', 'b', 'A', 'a'");
  EXPECT_EQ(folder.error_of([&] { table.require_once({a}); }), "x.csv:3: column 'a' appears twice");
  EXPECT_EQ(folder.error_of([&] { table.require_names(); }),
            "x.csv:3: column 'a' appears twice; the first line must be the header");
}

TEST(TableReader, CapitalsCountOnlyWhereTheRoleSaysSo) {
  const TemporaryFolder folder;
  const TableReader table(folder.write("x.csv", "User,user\n"));
  table.require_once({table.find({"user"})});
  EXPECT_EQ(folder.error_of([&] {
    table.require_once({table.find({"user", {}, true})});
  }),
            "x.csv:1: column 'User' appears twice");
}

TEST(TableReader, TellsDataFromAHeader) {
  const TemporaryFolder folder;
  const auto error = [&](std::string_view text) {
    const TableReader table(folder.write("x.csv", text));
    return folder.error_of([&] { table.require_names(); });
  };
  EXPECT_EQ(error("1,2\n"), "x.csv:1: found '1', '2'; the first line must be the header");
  EXPECT_EQ(error("a,\n"), "x.csv:1: column 2 has no name");
  TableReader(folder.write("x.csv", ",1\n")).require_names();
  EXPECT_TRUE(TableReader(folder / "x.csv").has_number());
  const TableReader narrow(folder.write("x.csv", "a\n"));
  EXPECT_EQ(folder.error_of([&] { narrow.require_two("two are needed"); }),
            "x.csv:1: only one column, 'a'; two are needed (is the delimiter right?)");
  EXPECT_EQ(folder.error_of([&] { narrow.fail_file("there are no rows"); }), "x.csv: there are no rows");
}

TEST(TableReader, HandsOutTypedFields) {
  const TemporaryFolder folder;
  TableReader table(folder.write("x.csv", "item;x\na;1.5\nb;\n"), ';');
  const FoundColumn item = table.find({"item"});
  const FoundColumn absent = table.find({"y"});
  std::string items;
  std::vector<double> numbers;
  std::vector<std::size_t> lines;
  table.for_each_row([&](const TableRow& row) {
    items += row.name(item);
    numbers.push_back(row.number_or_unknown(1));
    lines.push_back(row.line);
    EXPECT_EQ(row.text(absent), "");
    EXPECT_TRUE(std::isnan(row.number_or_unknown(absent.place)));
  });
  EXPECT_EQ(items, "ab");
  EXPECT_EQ(numbers[0], 1.5);
  EXPECT_TRUE(std::isnan(numbers[1]));
  EXPECT_EQ(lines, (std::vector<std::size_t>{2, 3}));
}

TEST(TableReader, ErrorsOfFields) {
  const TemporaryFolder folder;
  const KnownNames known{NameTable(NameList(Names{"a"})), "permission", "access.csv"};
  const auto error = [&](std::string_view field, const auto& take) {
    TableReader table(folder.write("x.csv", "i,x\n1," + std::string(field) + "\n"));
    return folder.error_of([&] { table.for_each_row(take); });
  };
  EXPECT_EQ(error("", [](const TableRow& row) { row.name({"item", 1}); }), "x.csv:2: the item is empty");
  EXPECT_EQ(error("nan", [](const TableRow& row) { row.number(1); }),
            "x.csv:2: column 'x': 'nan' is not a finite number");
  EXPECT_EQ(error("", [](const TableRow& row) { row.number(1); }), "x.csv:2: column 'x': '' is not a finite number");
  EXPECT_EQ(error("", [&](const TableRow& row) { row.known(1, known); }), "x.csv:2: the permission is empty");
  EXPECT_EQ(error("b", [&](const TableRow& row) { row.known(1, known); }),
            "x.csv:2: permission 'b' is not in access.csv");
}

TEST(TableReader, TellsProgressAndCanBeInterrupted) {
  const TemporaryFolder folder;
  CancelFlag cancel;
  RunContext run;
  run.cancel = &cancel;
  std::size_t told = 0;
  run.observer = [&](const Progress&) { ++told; };
  const std::string path = folder.write("x.csv", "a\n1\n");
  TableReader(path, ',', run).for_each_row([](const TableRow&) {});
  EXPECT_EQ(told, 1U);
  cancel.set(15);
  TableReader table(path, ',', run);
  EXPECT_EQ(folder.error_of([&] { table.for_each_row([](const TableRow&) {}); }, ErrorKind::interrupted),
            "interrupted while reading x.csv");
}

}  // namespace
}  // namespace motet::table_reader_test
