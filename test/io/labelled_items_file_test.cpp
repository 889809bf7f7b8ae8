#include "motet/io/labelled_items_file.h"

#include <zlib.h>

#include <sstream>

#include "io/item_cases.h"
#include "io/support.h"
#include "motet/base/rng.h"
#include "support/errors.h"

namespace motet::labelled_items_file_test {
namespace {

using Names = std::vector<std::string>;
using Numbers = std::vector<double>;

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

TEST(ReadLabelledItems, PackedFilesAndTheKindOfTheContent) {
  const TemporaryFolder folder;
  gzFile packed = gzopen((folder / "x.svm.gz").c_str(), "wb");
  gzputs(packed, "1,2 1:1\n2 1:3\n");
  gzclose(packed);
  EXPECT_EQ(sets_of(read_labelled_items(folder / "x.svm.gz", {}, {}).items), "1|2;2");
  EXPECT_EQ(sets_of(items_in("x.txt", "1 1:1\n").items), "1");
  EXPECT_EQ(sets_of(items_in("x.libsvm", "1 1:1\n").items), "1");
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
            "x.csv: there is no column 'z', which --label-columns names; found 'x', 'a'");
  format.label_columns = {"a", "a"};
  EXPECT_EQ(error_in("x.csv", "x,a\n1,1\n", format), "x.csv: column 'a' is named for two uses");
  EXPECT_EQ(error_in("x.csv", "x,a\n1,1\n", counted(2), ErrorKind::usage),
            "--label-count 2 leaves no feature: x.csv has 2 columns");
  format.label_count = 1;
  EXPECT_EQ(error_in("x.csv", "x,a\n1,1\n", format, ErrorKind::usage),
            "--labels, --label-columns, --label-count: more than one is given; one is enough");
}

TEST(ReadLabelledItems, CsvMistakesAreToldWithTheLine) {
  const auto error = [&](std::string_view text) { return error_in("x.csv", text, counted(1)); };
  expect_each(error, {{"", "x.csv: the file is empty; a header line is needed"},
                      {"x,a\n", "x.csv: there are no items in it"},
                      {"x,x,a\n1,2,1\n", "x.csv:1: column 'x' appears twice; the first line must be the header"},
                      {"x,a\n1,2\n", "x.csv:2: item 1 column 'a' is '2'; a label is 0 or 1"},
                      {"x,a\n1,\n", "x.csv:2: item 1 column 'a' is empty; a label is 0 or 1"},
                      {"x,a\n1,1\ninf,1\n", "x.csv:3: item 2 column 'x' is 'inf'; every feature needs a finite number"},
                      {"item,x,a\np,1,1\np,2,1\n", "x.csv:3: item 'p' appears twice (first on line 2); keep one"}});
  LabelledFormat format;
  format.label_columns = {"a"};
  EXPECT_EQ(error_in("x.csv", "item,a\np,1\n", format), "x.csv: there is no column of features; found 'item', 'a'");
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
  // Counted with awk; in birds the place is one column per value.
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
      EXPECT_TRUE(message.starts_with(name) || message.starts_with("--label-count ")) << message;
      EXPECT_NE(error.kind(), ErrorKind::internal);
    }
  }
  EXPECT_GT(refused, 400U);
}

}  // namespace
}  // namespace motet::labelled_items_file_test
