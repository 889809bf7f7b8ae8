#include "motet/io/arff.h"

#include "io/support.h"
#include "support/errors.h"

namespace motet::arff_test {
namespace {

// "0:0.5 1:? | {2:x}": the cells of each row, a sparse one in braces.
std::string rows_in(std::string_view text) {
  const TemporaryFolder folder;
  ArffReader reader(folder.write("x.arff", text));
  std::vector<ArffCell> cells;
  bool is_sparse = false;
  std::string shown;
  while (reader.next_row(cells, is_sparse)) {
    shown += shown.empty() ? "" : " | ";
    std::string row;
    for (const ArffCell& cell : cells) {
      row += (row.empty() ? "" : " ") + std::to_string(cell.attribute) + ":";
      row += cell.is_missing ? "(missing)" : std::string(cell.text);
    }
    shown += is_sparse ? "{" + row + "}" : row;
  }
  return shown;
}

ArffHeader header_of(std::string_view text) {
  const TemporaryFolder folder;
  return ArffReader(folder.write("x.arff", text)).header();
}

std::string error_in(std::string_view text) {
  const TemporaryFolder folder;
  folder.write("x.arff", text);
  return folder.error_of([&] {
    ArffReader reader(folder / "x.arff");
    std::vector<ArffCell> cells;
    bool is_sparse = false;
    while (reader.next_row(cells, is_sparse)) {
    }
  });
}

TEST(Arff, HeadersNameAndTypeTheirAttributes) {
  const ArffHeader header = header_of(
      "% a comment\n\n@RELATION 'songs: -C 2'\n@attribute 'sad songs' {0, 1}\n@Attribute \"it\\'s loud\" REAL\n"
      "@attribute happy{no,'not, at all'}\n@attribute n integer [0, 9]\n@attribute t string\n@data\n");
  EXPECT_EQ(header.relation, "songs: -C 2");
  ASSERT_EQ(header.attributes.size(), 5U);
  EXPECT_EQ(header.attributes[0].name, "sad songs");
  EXPECT_EQ(header.attributes[0].values, (std::vector<std::string>{"0", "1"}));
  EXPECT_EQ(header.attributes[1].name, "it's loud");
  EXPECT_EQ(header.attributes[1].type, ArffType::numeric);
  EXPECT_EQ(header.attributes[2].name, "happy");
  EXPECT_EQ(header.attributes[2].type, ArffType::nominal);
  EXPECT_EQ(header.attributes[2].values, (std::vector<std::string>{"no", "not, at all"}));
  EXPECT_EQ(header.attributes[3].type, ArffType::numeric);
  EXPECT_EQ(header.attributes[4].type, ArffType::text);
}

constexpr std::string_view two = "@relation x\n@attribute f numeric\n@attribute 'a b' {0,1}\n@data\n";

TEST(Arff, RowsAreDenseOrSparse) {
  const std::string head(two);
  EXPECT_EQ(rows_in(head + "0.5,1\n% between\n\n -1e3 , 0 \n{1 1}\n{ 1 0 , 0 4}\n{}\n{ }\n"),
            "0:0.5 1:1 | 0:-1e3 1:0 | {1:1} | {1:0 0:4} | {} | {}");
  EXPECT_EQ(rows_in(head + "?,'?'\n{0 ?}\n"), "0:(missing) 1:? | {0:(missing)}");
  EXPECT_EQ(rows_in(head), "");
}

TEST(Arff, QuotedCellsMayHoldAnything) {
  const std::string head(two);
  EXPECT_EQ(rows_in(head + "'a, b',\"it\\\"s\\tso\\n\"\n{0 'x} y', 1 ''}\n"), "0:a, b 1:it\"s\tso\n | {0:x} y 1:}");
  EXPECT_EQ(rows_in(head + "'\\'','\\\\'\n"), "0:' 1:\\");
}

TEST(Arff, RowsThatCannotBeAreToldWithTheLine) {
  const auto error = [](const std::string& rows) { return error_in(std::string(two) + rows); };
  expect_each(
      error,
      {{"1\n", "x.arff:5: 1 field where the header has 2 attributes"},
       {"1,0\n1,0,5\n", "x.arff:6: 3 fields where the header has 2 attributes"},
       {"'1,0\n", "x.arff:5: field 1: the quote is not closed"},
       {"1,'0' 1\n", "x.arff:5: field 2: text after the closing quote"},
       {"{2 1}\n", "x.arff:5: attribute number 2 is out of range; there are 2 attributes, numbered from 0"},
       {"{99999999999999999999 1}\n",
        "x.arff:5: attribute number 99999999999999999999 is out of range; there are 2 attributes, numbered from 0"},
       {"{-1 1}\n", "x.arff:5: '-1' is no number of an attribute; a sparse row is {number value, number value}"},
       {"{0 1, 0 2}\n", "x.arff:5: attribute number 0 ('f') appears twice in this row"},
       {"{0 1\n", "x.arff:5: the sparse row is not closed with }"},
       {"{0}\n", "x.arff:5: attribute number 0 ('f') has no value"},
       {"{0 'a' b}\n", "x.arff:5: text after the closing quote of attribute number 0"},
       {"{0 1}, {5}\n", "x.arff:5: text after the closing } of a sparse row; weights are not supported"},
       {"{}, {5}\n", "x.arff:5: text after the closing } of a sparse row; weights are not supported"}});
}

TEST(Arff, HeadersThatCannotBeAreToldWithTheLine) {
  expect_each(error_in,
              {{"", "x.arff: the file is empty or no arff; @relation, @attribute and @data are needed"},
               {"@relation x\n@attribute f numeric\n", "x.arff: there is no @data; the file may be cut short"},
               {"@relation x\n@data\n", "x.arff:2: there are no attributes before @data"},
               {"x,y\n1,2\n", "x.arff:1: 'x,y' is not @relation, @attribute or @data"},
               {"@relation 'x\n", "x.arff:1: the quote of the relation's name is not closed"},
               {"@attribute 'f numeric\n", "x.arff:1: the quote of the attribute's name is not closed"},
               {"@attribute f {0,1\n", "x.arff:1: attribute 'f': the list of its values is not closed with }"},
               {"@attribute f {'a' b}\n", "x.arff:1: attribute 'f': values are separated by commas; found 'b}'"},
               {"@attribute f {0,0}\n", "x.arff:1: attribute 'f': the value '0' appears twice"},
               {"@attribute f {}\n", "x.arff:1: attribute 'f': one of its values is empty"},
               {"@attribute f numeric\n@attribute f numeric\n@data\n", "x.arff:2: attribute 'f' appears twice"},
               {"@attribute\n", "x.arff:1: an attribute has no name"}});
  for (const std::string type : {"", "date"}) {
    EXPECT_EQ(error_in("@attribute f " + type + "\n"),
              "x.arff:1: attribute 'f': the type '" + type +
                  "' is not allowed; it is numeric, real, integer or a list {a,b}");
  }
}

TEST(MekaLabelCount, IsTheNumberAfterItsSign) {
  EXPECT_EQ(meka_label_count("songs: -C 2"), 2);
  EXPECT_EQ(meka_label_count("songs: -C -3 -split-number 9"), -3);
  EXPECT_EQ(meka_label_count("-C   4"), 4);
  EXPECT_EQ(meka_label_count("a:-C 5"), 5);
  for (const char* without : {"", "songs", "-C", "-Cx 2", "-C x", "x-C 2"}) {
    EXPECT_EQ(meka_label_count(without), 0) << without;
  }
}

}  // namespace
}  // namespace motet::arff_test
