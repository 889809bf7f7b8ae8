#include "motet/io/labelled_items_file.h"

#include <zlib.h>

#include <sstream>

#include "io/support.h"
#include "motet/base/rng.h"

namespace motet::labelled_items_file_test {
namespace {

using Names = std::vector<std::string>;
using Numbers = std::vector<double>;

LabelledFormat counted(std::size_t labels) {
  LabelledFormat format;
  format.label_count = labels;
  return format;
}

LabelledFile items_in(std::string_view name, std::string_view text, const LabelledFormat& format = {}) {
  const TemporaryFolder folder;
  return read_labelled_items(folder.write(name, text), format, {});
}

std::string error_in(std::string_view name, std::string_view text, const LabelledFormat& format = {},
                     ErrorKind kind = ErrorKind::bad_data) {
  const TemporaryFolder folder;
  folder.write(name, text);
  return folder.error_of([&] { read_labelled_items(folder / name, format, {}); }, kind);
}

// "a|b;;c": the sets of all items.
std::string sets_of(const LabelledItems& items) {
  std::string text;
  for (std::size_t n = 0; n < items.sets.rows(); ++n) {
    text += (n == 0 ? "" : ";") + joined_labels(items.sets.row(n), items.labels);
  }
  return text;
}

constexpr std::string_view songs =
    "% three songs\n"
    "@RELATION songs\n"
    "\n"
    "@attribute energy numeric\n"
    "@Attribute 'sad songs' {0, 1}\n"
    "@attribute \"it\\'s loud\" REAL\n"
    "@attribute happy{0,1}\n"
    "@data\n"
    "0.5,1,2,0\n"
    "% between\n"
    "-1e3, 0, +7, 1\n"
    "{0 4, 3 1}\n"
    "{}\n";

constexpr std::string_view songs_xml =
    "<labels xmlns=\"http://mulan.sourceforge.net/labels\"><label name=\"sad songs\"/><label name=\"happy\"/></labels>";

TEST(ReadLabelledItems, ArffDenseAndSparseWithTheXmlBesideIt) {
  const TemporaryFolder folder;
  folder.write("songs.xml", songs_xml);
  for (const std::string name : {"songs.arff", "songs-train.arff", "songs-test.arff"}) {
    const LabelledFile read = read_labelled_items(folder.write(name, songs), {}, {});
    EXPECT_EQ(read.items.features.columns, (Names{"energy", "it's loud"}));
    EXPECT_EQ(read.items.features.values, (Numbers{0.5, 2, -1000, 7, 4, 0, 0, 0}));
    EXPECT_EQ(read.items.labels, (Names{"sad songs", "happy"}));
    EXPECT_EQ(sets_of(read.items), "sad songs;happy;happy;");
    EXPECT_TRUE(read.items.features.items.empty());
    ASSERT_EQ(read.warnings.size(), 1U);
    EXPECT_EQ(folder.without_path(read.warnings[0]), name + ": labels are those of songs.xml, which lies beside it");
  }
}

TEST(ReadLabelledItems, ArffWithLabelsNamedByAnOptionAndWindowsLines) {
  std::string text;
  for (const char c : songs) text += c == '\n' ? "\r\n" : std::string(1, c);
  LabelledFormat format;
  format.label_columns = {"happy", "sad songs"};
  EXPECT_EQ(sets_of(items_in("x.arff", text, format).items), "sad songs;happy;happy;");
  EXPECT_EQ(items_in("x.arff", text, format).items.labels, (Names{"happy", "sad songs"}));
  EXPECT_EQ(items_in("x.arff", text, counted(1)).items.features.columns, (Names{"energy", "sad songs", "it's loud"}));
  format.label_columns = {};
  const TemporaryFolder folder;
  format.labels_file = folder.write("other.xml", songs_xml);
  EXPECT_EQ(sets_of(items_in("x.arff", text, format).items), "sad songs;happy;happy;");
}

TEST(ReadLabelledItems, MekaTellsTheNumberOfLabelsInTheRelationsName) {
  const std::string body = "@attribute a {0,1}\n@attribute b {0,1}\n@attribute c {0,1}\n@data\n1,0,0\n0,1,1\n";
  EXPECT_EQ(sets_of(items_in("x.arff", "@relation 'x: -C 2'\n" + body).items), "a;b");
  EXPECT_EQ(sets_of(items_in("x.arff", "@relation 'x: -C -2 -split-number 1'\n" + body).items), ";b|c");
  EXPECT_EQ(error_in("x.arff", "@relation '-C 3'\n" + body),
            "x.arff: the relation's name says -C 3, but there are 3 attributes");
}

TEST(ReadLabelledItems, NominalFeaturesBecomeNumbers) {
  const std::string text =
      "@relation x\n@attribute two {1,0}\n@attribute word {no,yes}\n@attribute place {2,'north, far',7}\n"
      "@attribute one {x}\n@attribute l {false,TRUE}\n@data\n"
      "0,yes,7,x,TRUE\n1,no,'north, far',x,false\n{3 x}\n";
  const LabelledItems items = items_in("x.arff", text, counted(1)).items;
  EXPECT_EQ(items.features.columns, (Names{"two", "word", "place=2", "place=north, far", "place=7", "one=x"}));
  // What a sparse row leaves out is the first value that was declared.
  EXPECT_EQ(items.features.values, (Numbers{0, 1, 0, 0, 1, 1, 1, 0, 0, 1, 0, 1, 1, 0, 1, 0, 0, 1}));
  EXPECT_EQ(sets_of(items), "l;;");
}

TEST(ReadLabelledItems, NominalFeaturesKeepTheColumnsOfAModel) {
  LabelledFormat format;
  format.known_labels = {"l"};
  format.known_columns = {"place=2", "place=3", "place=7"};
  const LabelledItems items =
      items_in("x.arff", "@relation x\n@attribute place {7,2}\n@attribute l {0,1}\n@data\n7,0\n2,1\n", format).items;
  EXPECT_EQ(items.features.columns, (Names{"place=2", "place=3", "place=7"}));
  EXPECT_EQ(items.features.values, (Numbers{0, 0, 1, 1, 0, 0}));
}

TEST(ReadLabelledItems, StringAttributesCanOnlyNameItems) {
  const std::string text =
      "@relation x\n@attribute item string\n@attribute f numeric\n@attribute l {0,1}\n@data\n'it\\'s a',1,0\nb,2,1\n";
  EXPECT_EQ(items_in("x.arff", text, counted(1)).items.features.items, (Names{"it's a", "b"}));
  EXPECT_EQ(error_in("x.arff", "@relation x\n@attribute t string\n@attribute f numeric\n@attribute l {0,1}\n@data\n",
                     counted(1)),
            "x.arff: attribute 't' is a string; features are numeric or nominal: leave it out with --leave-out, or "
            "make it the items' names with --item-column");
  LabelledFormat format = counted(1);
  format.leave_out = {"item"};
  EXPECT_TRUE(items_in("x.arff", text, format).items.features.items.empty());
}

TEST(ReadLabelledItems, CsvWithZeroOneOrTrueFalseLabels) {
  LabelledFormat format;
  format.label_columns = {"b", "a"};
  const LabelledItems items = items_in("x.csv", "item,x,a,y,b\np,1,0,2,TRUE\n\"q,r\",3,1.0,4,false\n", format).items;
  EXPECT_EQ(items.features.columns, (Names{"x", "y"}));
  EXPECT_EQ(items.features.values, (Numbers{1, 2, 3, 4}));
  EXPECT_EQ(items.features.items, (Names{"p", "q,r"}));
  EXPECT_EQ(sets_of(items), "b;a");
  EXPECT_EQ(sets_of(items_in("x.csv", "x,a,b\n1,0,1\n", counted(2)).items), "b");
  format.label_columns = {"a"};
  format.delimiter = ';';
  format.item_column = "name";
  format.leave_out = {"note"};
  const LabelledItems named = items_in("x.csv", "x;note;a;name\n1;text;1;p\n", format).items;
  EXPECT_EQ(named.features.columns, Names{"x"});
  EXPECT_EQ(named.features.items, Names{"p"});
}

TEST(ReadLabelledItems, LibsvmWithSeveralLabelsNoneAndComments) {
  const LabelledItems items = items_in("x.svm", "10,3 2:0.5 4:1 # first\n 1:-2\n# nothing\n\n3 4:+1e2\n").items;
  EXPECT_EQ(items.features.columns, (Names{"1", "2", "3", "4"}));
  EXPECT_EQ(items.features.values, (Numbers{0, 0.5, 0, 1, -2, 0, 0, 0, 0, 0, 0, 100}));
  EXPECT_EQ(items.labels, (Names{"3", "10"}));
  EXPECT_EQ(sets_of(items), "3|10;;3");
  EXPECT_EQ(items_in("x.txt", "dog,cat 0:1 1:2\n").items.labels, (Names{"dog", "cat"}));
  EXPECT_EQ(items_in("x.libsvm", "1 0:1 2:2\n").items.features.columns, (Names{"0", "1", "2"}));
  EXPECT_EQ(sets_of(items_in("x.svm", "1:3\n2 1:1\n").items), ";2");  // labels may be left away altogether
}

TEST(ReadLabelledItems, LibsvmInTheColumnsAndLabelsOfAModel) {
  LabelledFormat format;
  format.known_columns = {"1", "2", "3"};
  format.known_labels = {"7", "5"};
  const LabelledItems items = items_in("x.svm", "5 2:1\n", format).items;
  EXPECT_EQ(items.features.values, (Numbers{0, 1, 0}));
  EXPECT_EQ(items.labels, (Names{"7", "5"}));
  EXPECT_EQ(error_in("x.svm", "5 2:1\n5 4:1\n", format), "x.svm:2: feature 4 is not one of the model's, 1 to 3");
  EXPECT_EQ(error_in("x.svm", "6 2:1\n", format), "x.svm:1: label '6' is not one of '7', '5'");
  format.needs_labels = false;
  EXPECT_FALSE(items_in("x.svm", "6 2:1\n", format).items.has_sets());
  EXPECT_FALSE(items_in("x.svm", " 2:1\n", format).items.has_sets());
}

TEST(ReadLabelledItems, PackedFilesAndTheKindOfTheContent) {
  const TemporaryFolder folder;
  gzFile packed = gzopen((folder / "x.svm.gz").c_str(), "wb");
  gzputs(packed, "1,2 1:1\n2 1:3\n");
  gzclose(packed);
  EXPECT_EQ(sets_of(read_labelled_items(folder / "x.svm.gz", {}, {}).items), "1|2;2");
  LabelledFormat format = counted(1);
  format.kind = ItemsKind::csv;
  EXPECT_EQ(sets_of(items_in("x.svm", "x,a\n1,1\n", format).items), "a");
}

TEST(ReadLabelledItems, WithoutLabelsOnlyWhereNoneAreNeeded) {
  LabelledFormat format;
  EXPECT_EQ(error_in("x.csv", "x,a\n1,1\n", format, ErrorKind::usage),
            "x.csv: nothing says which columns are labels; name them with --label-columns a,b,c, their number at the "
            "end with --label-count N, or a MULAN file with --labels FILE.xml");
  EXPECT_EQ(error_in("x.arff", songs, format, ErrorKind::usage).substr(0, 50),
            "x.arff: nothing says which columns are labels; nam");
  EXPECT_EQ(error_in("x.svm", " 1:2\n", format),
            "x.svm: no item has a label; each line starts with its labels, such as 1,3");
  format.needs_labels = false;
  EXPECT_FALSE(items_in("x.csv", "x,a\n1,1\n", format).items.has_sets());
  format.known_labels = {"a", "b"};
  const LabelledItems partly = items_in("x.csv", "x,a\n1,1\n", format).items;
  EXPECT_FALSE(partly.has_sets());
  EXPECT_EQ(partly.features.columns, Names{"x"});
  EXPECT_FALSE(items_in("x.csv", "x,a,b\n1,,0\n", format).items.has_sets());
  EXPECT_TRUE(items_in("x.csv", "x,b,a\n1,1,0\n", format).items.has_sets());
  EXPECT_EQ(sets_of(items_in("x.csv", "x,b,a\n1,1,0\n", format).items), "b");
  format.needs_labels = true;
  EXPECT_EQ(error_in("x.csv", "x,a\n1,1\n", format),
            "x.csv: there is no column 'b', which is a label of the model; found 'x', 'a'");
  format.label_columns = {"a", "c"};
  EXPECT_EQ(error_in("x.csv", "x,a,c\n1,1,1\n", format), "x.csv: label 'c' is none of the model; it knows 'a', 'b'");
}

TEST(ReadLabelledItems, ArffMistakesAreToldWithTheLine) {
  const std::string head = "@relation x\n@attribute f numeric\n@attribute 'a b' {0,1}\n@data\n";
  const auto error = [&](const std::string& rows) { return error_in("x.arff", head + rows, counted(1)); };
  EXPECT_EQ(error("1,?\n"),
            "x.arff:5: item 1 column 'a b' is missing (?); fill missing values in, leave the item out, or leave the "
            "column out with --leave-out");
  EXPECT_EQ(error("1,0\n?,1\n").substr(0, 38), "x.arff:6: item 2 column 'f' is missing");
  EXPECT_EQ(error("1\n"), "x.arff:5: 1 field where the header has 2 attributes");
  EXPECT_EQ(error("1,0,5\n"), "x.arff:5: 3 fields where the header has 2 attributes");
  EXPECT_EQ(error("one,0\n"),
            "x.arff:5: item 1 column 'f' is 'one', which is no number; leave a column of text out with --leave-out");
  EXPECT_EQ(error("nan,0\n"), "x.arff:5: item 1 column 'f' is 'nan'; every feature needs a finite number");
  EXPECT_EQ(error("1e999,0\n"), "x.arff:5: item 1 column 'f' is '1e999'; every feature needs a finite number");
  EXPECT_EQ(error(",0\n"),
            "x.arff:5: item 1 column 'f' is empty; every feature needs a number: fill it in or leave the item out");
  EXPECT_EQ(error("1,2\n"), "x.arff:5: item 1 column 'a b' is '2', which is not one of '0', '1'");
  EXPECT_EQ(error("{2 1}\n"), "x.arff:5: attribute number 2 is out of range; there are 2 attributes, numbered from 0");
  EXPECT_EQ(error("{99999999999999999999 1}\n"),
            "x.arff:5: attribute number 99999999999999999999 is out of range; there are 2 attributes, numbered from 0");
  EXPECT_EQ(error("{-1 1}\n"),
            "x.arff:5: '-1' is no number of an attribute; a sparse row is {number value, number value}");
  EXPECT_EQ(error("{0 1, 0 2}\n"), "x.arff:5: attribute number 0 ('f') appears twice in this row");
  EXPECT_EQ(error("{0 1\n"), "x.arff:5: the sparse row is not closed with }");
  EXPECT_EQ(error("{0}\n"), "x.arff:5: attribute number 0 ('f') has no value");
  EXPECT_EQ(error("{0 1}, {5}\n"), "x.arff:5: text after the closing } of a sparse row; weights are not supported");
  EXPECT_EQ(error("'1,0\n"), "x.arff:5: field 1: the quote is not closed");
  EXPECT_EQ(error(""), "x.arff: there are no items in it");
}

TEST(ReadLabelledItems, ArffHeadersThatCannotBe) {
  const auto error = [&](const std::string& text) { return error_in("x.arff", text, counted(1)); };
  EXPECT_EQ(error(""), "x.arff: the file is empty or no arff; @relation, @attribute and @data are needed");
  EXPECT_EQ(error("@relation x\n@attribute f numeric\n"), "x.arff: there is no @data; the file may be cut short");
  EXPECT_EQ(error("@relation x\n@data\n"), "x.arff:2: there are no attributes before @data");
  EXPECT_EQ(error("x,y\n1,2\n"), "x.arff:1: 'x,y' is not @relation, @attribute or @data");
  EXPECT_EQ(error("@attribute f\n"),
            "x.arff:1: attribute 'f': the type '' is not allowed; it is numeric, real, integer or a list {a,b}");
  EXPECT_EQ(error("@attribute f date\n"),
            "x.arff:1: attribute 'f': the type 'date' is not allowed; it is numeric, real, integer or a list {a,b}");
  EXPECT_EQ(error("@attribute 'f numeric\n"), "x.arff:1: the quote of the attribute's name is not closed");
  EXPECT_EQ(error("@attribute f {0,1\n"), "x.arff:1: attribute 'f': the list of its values is not closed with }");
  EXPECT_EQ(error("@attribute f {0,0}\n"), "x.arff:1: attribute 'f': the value '0' appears twice");
  EXPECT_EQ(error("@attribute f {}\n"), "x.arff:1: attribute 'f': one of its values is empty");
  EXPECT_EQ(error("@attribute f numeric\n@attribute f numeric\n@data\n"), "x.arff:2: attribute 'f' appears twice");
  EXPECT_EQ(error("@attribute\n"), "x.arff:1: an attribute has no name");
  EXPECT_EQ(error("@attribute f numeric\n@attribute l {a,b}\n@data\n1,a\n"),
            "x.arff: label 'l' has the values 'a', 'b'; a label is 0 or 1");
}

TEST(ReadLabelledItems, LabelsThatAreNoColumns) {
  const TemporaryFolder folder;
  folder.write("songs.arff", songs);
  folder.write("songs.xml", "<labels><label name=\"happy\"/><label name=\"calm\"/></labels>");
  EXPECT_EQ(folder.error_of([&] { read_labelled_items(folder / "songs.arff", {}, {}); }),
            "songs.arff: there is no column 'calm', which songs.xml names; found 'energy', 'sad songs', 'it's loud', "
            "'happy'");
  LabelledFormat format;
  format.label_columns = {"z"};
  EXPECT_EQ(error_in("x.csv", "x,a\n1,1\n", format),
            "x.csv: there is no column 'z', which label-columns names; found 'x', 'a'");
  format.label_columns = {"a", "a"};
  EXPECT_EQ(error_in("x.csv", "x,a\n1,1\n", format), "x.csv: column 'a' is named for two uses");
  EXPECT_EQ(error_in("x.csv", "x,a\n1,1\n", counted(2), ErrorKind::usage),
            "label-count = 2 leaves no feature: x.csv has 2 columns");
  format.label_count = 1;
  EXPECT_EQ(error_in("x.csv", "x,a\n1,1\n", format, ErrorKind::usage),
            "labels, label-columns, label-count: more than one is given; one is enough");
}

TEST(ReadLabelledItems, CsvMistakesAreToldWithTheLine) {
  const auto error = [&](std::string_view text) { return error_in("x.csv", text, counted(1)); };
  EXPECT_EQ(error(""), "x.csv: the file is empty; a header line is needed");
  EXPECT_EQ(error("x,a\n"), "x.csv: there are no items in it");
  EXPECT_EQ(error("x,x,a\n1,2,1\n"), "x.csv:1: column 'x' appears twice; the first line must be the header");
  EXPECT_EQ(error("x,a\n1,2\n"), "x.csv:2: item 1 column 'a' is '2'; a label is 0 or 1");
  EXPECT_EQ(error("x,a\n1,\n"), "x.csv:2: item 1 column 'a' is empty; a label is 0 or 1");
  EXPECT_EQ(error("x,a\n1,1\ninf,1\n"), "x.csv:3: item 2 column 'x' is 'inf'; every feature needs a finite number");
  EXPECT_EQ(error("item,x,a\np,1,1\np,2,1\n"), "x.csv:3: item 'p' appears twice (first on line 2); keep one");
  LabelledFormat format;
  format.label_columns = {"a"};
  EXPECT_EQ(error_in("x.csv", "item,a\np,1\n", format), "x.csv: there is no column of features; found 'item', 'a'");
}

TEST(ReadLabelledItems, LibsvmMistakesAreToldWithTheLine) {
  const auto error = [&](std::string_view text) { return error_in("x.svm", text); };
  EXPECT_EQ(error(""), "x.svm: there are no items in it");
  EXPECT_EQ(error("1 2\n"), "x.svm:1: '2' is no feature such as 7:0.5");
  EXPECT_EQ(error("1 a:2\n"), "x.svm:1: 'a:2' is no feature such as 7:0.5");
  EXPECT_EQ(error("1 -3:2\n"), "x.svm:1: '-3:2' is no feature such as 7:0.5");
  EXPECT_EQ(error("1,,2 1:1\n"), "x.svm:1: '1,,2' is no list of labels such as 1,3");
  EXPECT_EQ(error("1,1 1:1\n"), "x.svm:1: label '1' appears twice");
  EXPECT_EQ(error("1 2:1 2:3\n"), "x.svm:1: feature 2 comes after feature 2; numbers must rise");
  EXPECT_EQ(error("1 2:nan\n"), "x.svm:1: feature 2 is 'nan'; every feature needs a finite number");
  EXPECT_EQ(error("1 2:\n"), "x.svm:1: feature 2 is ''; every feature needs a finite number");
  EXPECT_EQ(error("1 20000000:1\n"), "x.svm:1: feature 20000000 is out of range; 10000000 is the largest number");
  EXPECT_EQ(error("1\n2\n"), "x.svm: no item has a feature");
  EXPECT_EQ(error_in("x.svm", "1 1:1\n", counted(1), ErrorKind::usage),
            "x.svm: a libsvm file has no named columns, and its labels start each line; --labels, --label-count, "
            "--item-column and --leave-out do not apply");
}

TEST(ReadLabelledItems, FeatureNumbersThatWouldMakeAHugeTableAreRefused) {
  EXPECT_EQ(error_in("x.svm", "1 1:1\n2 10000000:1\n"),
            "x.svm: 2 x 10000000 is too large a table for the 2 numbers in it; at least one in 10000 must be given");
  std::string text;
  for (int n = 0; n < 50000; ++n) text += "1 10000000:1\n";
  EXPECT_EQ(error_in("x.svm", text),
            "x.svm: 50000 x 10000000 is too large a table for the 50000 numbers in it; at least "
            "one in 10000 must be given");
}

TEST(ReadLabelledItems, CsvIsWrittenAndReadBack) {
  const LabelledItems items = items_in("x.csv", "item,x,a,b\np,0.1,0,1\n\"q\"\"\",3e-7,1,1\n", counted(2)).items;
  std::ostringstream out;
  CsvWriter csv(out);
  write_labelled_csv(csv, items);
  csv.finish();
  EXPECT_EQ(out.str(), "item,x,a,b\np,0.1,0,1\n\"q\"\"\",3e-07,1,1\n");
  const LabelledItems again = items_in("x.csv", out.str(), counted(2)).items;
  EXPECT_EQ(again.features.values, items.features.values);
  EXPECT_EQ(sets_of(again), sets_of(items));
}

TEST(ReadLabelledItems, PublicDataSetsHaveTheirKnownSizes) {
  const char* const folder = std::getenv("MOTET_DATA");
  if (folder == nullptr) GTEST_SKIP() << "set MOTET_DATA to the folder of data sets";
  struct Known {
    std::string name;
    std::size_t items, features, labels, sets;
  };
  // Counted with awk; in birds the place is one column a value.
  for (const Known& known :
       {Known{"emotions/emotions.arff", 593, 72, 6, 27}, Known{"yeast/yeast.arff", 2417, 103, 14, 198},
        Known{"scene/scene-train.arff", 1211, 294, 6, 14}, Known{"birds/birds-test.arff", 323, 271, 19, 84}}) {
    const LabelledItems items = read_labelled_items(std::string(folder) + "/multilabel/" + known.name, {}, {}).items;
    EXPECT_EQ(items.rows(), known.items) << known.name;
    EXPECT_EQ(items.features.dimensions(), known.features) << known.name;
    EXPECT_EQ(items.labels.size(), known.labels) << known.name;
    EXPECT_EQ(index_label_sets(items.sets).size(), known.sets) << known.name;
  }
}

// Hundreds of damaged files: each is read, or refused with an Error that names the file.
TEST(ReadLabelledItems, DamagedFilesNeverDoHarm) {
  const std::string csv = "item,x,a,b\np,0.1,0,1\n\"q\"\"\",3e-7,1,1\n";
  const std::string svm = "10,3 2:0.5 4:1 # first\n 1:-2\n# nothing\n\n3 4:+1e2\n";
  const std::string bytes = "\n\r\t ,{}'\"\\?%@#:+-e0azA\xC3\xA4";
  const TemporaryFolder folder;
  folder.write("x.xml", songs_xml);
  Rng rng(Seed{1});
  std::size_t refused = 0;
  for (int round = 0; round < 1200; ++round) {
    const std::string_view name = round % 3 == 0 ? "x.csv" : round % 3 == 1 ? "x.svm" : "x.arff";
    std::string text = round % 3 == 0 ? csv : round % 3 == 1 ? svm : std::string(songs);
    for (std::uint64_t changes = rng.below(4) + 1; changes > 0 && !text.empty(); --changes) {
      const std::size_t at = rng.below(text.size());
      switch (rng.below(4)) {
        case 0: text[at] = bytes[rng.below(bytes.size())]; break;
        case 1: text.insert(at, 1, bytes[rng.below(bytes.size())]); break;
        case 2: text.erase(at, rng.below(8) + 1); break;
        default: text.resize(at); break;
      }
    }
    folder.write(name, text);
    try {
      const LabelledItems items =
          read_labelled_items(folder / name, round % 3 == 0 ? counted(2) : LabelledFormat{}, {}).items;
      EXPECT_EQ(items.features.values.size(), items.rows() * items.features.dimensions());
      EXPECT_TRUE(items.has_sets());
    } catch (const Error& error) {
      ++refused;
      const std::string message = folder.without_path(error.what());
      EXPECT_TRUE(message.starts_with(name) || message.starts_with("label-count = ")) << message;
      EXPECT_NE(error.kind(), ErrorKind::internal);
    }
  }
  EXPECT_GT(refused, 400U);
}

}  // namespace
}  // namespace motet::labelled_items_file_test
