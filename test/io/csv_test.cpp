#include "motet/io/csv.h"

#include <rapidcheck.h>

#include <vector>

#include "io/support.h"
#include "motet/io/csv_writer.h"
#include "support/errors.h"

namespace motet::csv_test {
namespace {

using Table = std::vector<std::vector<std::string>>;

// Header and rows.
Table read_table(const std::string& path, const CsvFormat& format = {}) {
  CsvReader reader(path, format);
  Table table = {reader.header()};
  for (CsvRows rows = reader.next_rows(); rows.size() != 0; rows = reader.next_rows()) {
    for (std::size_t i = 0; i < rows.size(); ++i) table.emplace_back(rows[i].begin(), rows[i].end());
  }
  return table;
}

Table table_in(std::string_view text, const CsvFormat& format = {}) {
  const TemporaryFolder folder;
  return read_table(folder.write("x.csv", text), format);
}

// With every small buffer and the usual one, all of which must agree.
std::string error_in(std::string_view text) {
  const TemporaryFolder folder;
  folder.write("x.csv", text);
  const std::string error = folder.error_of([&] { read_table(folder / "x.csv"); });
  for (std::size_t size = 1; size < 8; ++size) {
    EXPECT_EQ(folder.error_of([&] { read_table(folder / "x.csv", {',', size}); }), error) << size;
  }
  return error;
}

TEST(CsvReader, Basics) {
  const Table expected = {{"a", "b"}, {"1", "2"}, {"", "x"}};
  EXPECT_EQ(table_in("a,b\n1,2\n,x\n"), expected);
  EXPECT_EQ(table_in("a,b\r\n1,2\r\n,x\r\n"), expected);
  EXPECT_EQ(table_in("\xEF\xBB\xBF"
                     "a,b\n1,2\n,x"),
            expected);
  EXPECT_EQ(table_in("a;b\n1;2\n;x\n", {';'}), expected);
  EXPECT_EQ(table_in("a\tb\n1\t2\n\tx\n", {'\t'}), expected);
  EXPECT_EQ(table_in("\n\r\na,b\n\n1,2\n\r\n\n,x\n\n"), expected);
  EXPECT_EQ(table_in("\"a\",\"b\"\r\n1,\"2\"\r\n\"\",x\r"), expected);
}

TEST(CsvReader, Quotes) {
  EXPECT_EQ(table_in("a,b\n\"x,y\",\"say \"\"hi\"\"\"\n"), (Table{{"a", "b"}, {"x,y", "say \"hi\""}}));
  EXPECT_EQ(table_in("a,b\n\"x\ny\",\"\"\"\"\n"), (Table{{"a", "b"}, {"x\ny", "\""}}));
  EXPECT_EQ(table_in("a\n\"\"\n\nx\n"), (Table{{"a"}, {""}, {"x"}}));
  EXPECT_EQ(table_in("a,b\nx\ry,\"z\r\"\r\n"), (Table{{"a", "b"}, {"x\ry", "z\r"}}));  // a lone CR is data
}

TEST(CsvReader, LinesAreCountedAsInAnEditor) {
  const TemporaryFolder folder;
  folder.write("x.csv", "\na,b\n1,2\n\n\"x\ny\",3\n4,5\n");
  for (const std::size_t size : {1U, 5U, 1000U}) {
    CsvReader reader(folder / "x.csv", {',', size});
    EXPECT_EQ(reader.header_line(), 2U);
    std::vector<std::size_t> lines;
    for (CsvRows rows = reader.next_rows(); rows.size() != 0; rows = reader.next_rows()) {
      lines.insert(lines.end(), rows.lines().begin(), rows.lines().end());
    }
    EXPECT_EQ(lines, (std::vector<std::size_t>{3, 5, 7}));
  }
}

TEST(CsvReader, Errors) {
  expect_each(
      error_in,
      {{"", "x.csv: the file is empty; a header line is needed"},
       {"\n\r\n\n", "x.csv: the file is empty; a header line is needed"},
       {"\xEF\xBB\xBF", "x.csv: the file is empty; a header line is needed"},
       {"a,b,c\n1,2,3\n\n1,2\n1,2,3\n", "x.csv:4: 2 fields where the header has 3"},
       {"a,b\n1,2\n1,2,3,4\n", "x.csv:3: 4 fields where the header has 2"},
       {"a,b,c\n1,2,3\n1,2", "x.csv:3: 2 fields where the header has 3; the file may be cut short"},
       {"a,b\n1,2\n1", "x.csv:3: 1 field where the header has 2; the file may be cut short"},
       {"a,b\n1,2,3", "x.csv:2: 3 fields where the header has 2"},
       {"a,b\n1,\"x\ny\n", "x.csv:2: column 2: the quoted field is not closed before the end of the file"},
       {"\"a", "x.csv:1: column 1: the quoted field is not closed before the end of the file"},
       {"a,b\n\"x\"y,2\n", "x.csv:2: column 1: text after the closing quote; double the quotes inside a field"},
       {"a,b\n\"x\"\ry,2\n", "x.csv:2: column 1: text after the closing quote; double the quotes inside a field"},
       {"a,b\n1,x\"y\n", "x.csv:2: column 2: a quote inside an unquoted field; quote the field and double it"},
       {std::string("a,b\n1,2\n3,\0\n", 12),
        "x.csv:3: this is a binary file (it holds a NUL byte); a CSV text file is needed"},
       {"a,m\xFCller\n", "x.csv:1: column 2: the text is not valid UTF-8; convert the file to UTF-8"},
       {"a,b\n1,2\nm\xFCller,2\n", "x.csv:3: column 1: the text is not valid UTF-8; convert the file to UTF-8"}});
}

TEST(CsvReader, BinaryFilesAreToldAsSuch) {
  const TemporaryFolder folder;
  folder.write("x.csv", std::string_view("\x89PNG\"\0x", 7));  // breaks other rules before
  EXPECT_EQ(folder.error_of([&] { read_table(folder / "x.csv"); }),
            "x.csv:1: this is a binary file (it holds a NUL byte); a CSV text file is needed");
}

TEST(CsvReader, RowsBeforeAnErrorAreHandedOut) {
  const TemporaryFolder folder;
  CsvReader reader(folder.write("x.csv", "a,b\n1,2\n3,4\n5\n"));
  EXPECT_EQ(reader.next_rows().size(), 2U);
  EXPECT_EQ(folder.error_of([&] { reader.next_rows(); }), "x.csv:4: 1 field where the header has 2");
}

TEST(CsvReader, LongRecords) {
  const TemporaryFolder folder;
  const std::string fifteen(15U << 20, 'x');
  EXPECT_EQ(read_table(folder.write("x.csv", "a,b\n\"" + fifteen + "\",2\n"))[1][0], fifteen);
  folder.write("x.csv", "a,b\n1,2\n3,\"" + fifteen + fifteen + fifteen + "\n");
  EXPECT_EQ(folder.error_of([&] { read_table(folder / "x.csv"); }),
            "x.csv:3: the record is longer than 16 MiB; is a quote left open?");
}

TEST(CsvReader, DelimiterMustMakeSense) {
  const TemporaryFolder folder;
  folder.write("x.csv", "a\n");
  for (const char delimiter : {'"', '\n', '\r', '\0', '\xE4'}) {
    EXPECT_EQ(folder.error_of([&] { read_table(folder / "x.csv", {delimiter}); }, ErrorKind::usage),
              "the delimiter must be one ASCII character, and no quote or line end");
  }
}

// Any table survives writing and reading, whatever the buffer, the delimiter and the line ends.
TEST(CsvReader, RoundTripOfAnyTable) {
  const TemporaryFolder folder;
  EXPECT_TRUE(rc::check([&] {
    const auto width = *rc::gen::inRange<std::size_t>(1, 5);
    const auto field = rc::gen::container<std::string>(
        rc::gen::element<char>('a', 'b', '1', ' ', ',', ';', '\t', '"', '"', '\n', '\r'));
    const auto row = rc::gen::container<std::vector<std::string>>(width, field);
    const auto table = *rc::gen::suchThat(rc::gen::container<Table>(row), [](const Table& t) { return !t.empty(); });
    const char delimiter = *rc::gen::element(',', ';', '\t');
    {
      AtomicFile file(folder / "x.csv");
      CsvWriter csv(file, delimiter);
      for (const auto& fields : table) csv.row(fields);
      csv.finish();
      file.commit();
    }
    const auto buffer = *rc::gen::element<std::size_t>(1, 2, 3, 4, 5, 6, 7, 64, default_chunk);
    RC_ASSERT(read_table(folder / "x.csv", {delimiter, buffer}) == table);
  }));
}

TEST(CsvReader, RoundTripWithCarriageReturns) {
  const TemporaryFolder folder;
  EXPECT_TRUE(rc::check([&] {
    const auto field = rc::gen::container<std::string>(rc::gen::element<char>('a', ',', '"'));
    const auto table =
        *rc::gen::suchThat(rc::gen::container<Table>(rc::gen::container<std::vector<std::string>>(2, field)),
                           [](const Table& t) { return !t.empty(); });
    std::string text;
    for (const auto& fields : table) {
      std::ostringstream line;
      CsvWriter csv(line);
      csv.row(fields);
      csv.finish();
      text += line.str();
      text.insert(text.size() - 1, "\r");
    }
    if (*rc::gen::arbitrary<bool>()) text.resize(text.size() - 2);  // no line end at the end of the file
    folder.write("x.csv", text);
    const auto buffer = *rc::gen::element<std::size_t>(1, 2, 3, 4, 5, 6, 7, 64, default_chunk);
    RC_ASSERT(read_table(folder / "x.csv", {',', buffer}) == table);
  }));
}

// No bytes whatever crash the reader: it gives rows or an Error.
TEST(CsvReader, AnyBytes) {
  const TemporaryFolder folder;
  EXPECT_TRUE(rc::check([&] {
    const auto text = *rc::gen::container<std::string>(rc::gen::weightedOneOf<char>(
        {{30, rc::gen::element<char>('a', ',', '"', '\n', '\r')}, {1, rc::gen::arbitrary<char>()}}));
    folder.write("x.csv", text);
    const auto outcome = [&](std::size_t buffer) -> std::pair<Table, std::string> {
      try {
        return {read_table(folder / "x.csv", {',', buffer}), ""};
      } catch (const Error& error) {
        return {{}, error.what()};
      }
    };
    const auto expected = outcome(default_chunk);
    for (std::size_t buffer = 4; buffer < 8; ++buffer) RC_ASSERT(outcome(buffer).first == expected.first);
  }));
}

}  // namespace
}  // namespace motet::csv_test
