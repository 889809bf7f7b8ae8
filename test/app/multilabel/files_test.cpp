#include "motet/app/multilabel/files.h"

#include <gtest/gtest.h>

#include "app/multilabel/support.h"

namespace motet::multilabel::files_test {
namespace {

class BadFiles : public BadItems {};
class GoodFiles : public MultilabelCommand {};

TEST_F(BadFiles, NothingSaysWhichColumnsAreLabels) {
  expect_untrained(
      "x,a\n1,1\n", 2,
      "d.csv: nothing says which columns are labels; name them with --label-columns a,b,c, their number at "
      "the end with --label-count N, or a MULAN file with --labels FILE.xml",
      {});
  expect_untrained("x,a\n1,1\n", 2, "--labels, --label-columns, --label-count: more than one is given; one is enough",
                   {"--label-columns", "a", "--label-count", "1"});
  expect_untrained("x,a\n1,1\n", 2, "--label-count 2 leaves no feature: d.csv has 2 columns");
  expect_untrained("x,a\n1,1\n", 3, "d.csv: there is no column 'b', which --label-columns names; found 'x', 'a'",
                   {"--label-columns", "a,b"});
}

TEST_F(BadFiles, FilesThatCannotBe) {
  expect_refused({"train", "@none.csv", "--label-count", "1", "--model", "@m.json"}, 3,
                 "none.csv: cannot be opened: No such file or directory");
  expect_untrained("", 3, "d.csv: the file is empty; a header line is needed");
  expect_untrained("x,a,b\n", 3, "d.csv: there are no items in it");
  expect_untrained("x,x,a,b\n1,2,1,0\n", 3, "d.csv:1: column 'x' appears twice; the first line must be the header");
  expect_untrained("x,a,b\nnan,1,0\n", 3, "d.csv:2: item 1 column 'x' is 'nan'; every feature needs a finite number");
  expect_untrained("x,a,b\n1,1,0\ninf,1,0\n", 3,
                   "d.csv:3: item 2 column 'x' is 'inf'; every feature needs a finite number");
  expect_untrained("x,a,b\n1,1,yes\n", 3, "d.csv:2: item 1 column 'b' is 'yes'; a label is 0 or 1");
  expect_untrained("x,a,b|c\n1,1,0\n", 3,
                   "d.csv: label 'b|c' holds '|', which stands between the labels of a set; rename it");
}

TEST_F(BadFiles, XmlWithALabelThatIsNoAttribute) {
  folder.write("d.arff", "@relation x\n@attribute f numeric\n@attribute a {0,1}\n@data\n1,0\n2,1\n");
  folder.write("d.xml", "<labels><label name='a'/><label name='b'/></labels>");
  expect_refused({"train", "@d.arff", "--model", "@m.json"}, 3,
                 "d.arff: there is no column 'b', which d.xml names; found 'f', 'a'");
  folder.write("e.xml", "<labels><label name='a'/>");
  expect_refused({"train", "@d.arff", "--labels", "@e.xml", "--model", "@m.json"}, 3,
                 "e.xml:1: this is no XML: start-end tags mismatch");
}

TEST_F(BadFiles, SparseIndexOutOfRange) {
  folder.write("d.arff", "@relation '-C 1'\n@attribute a {0,1}\n@attribute f numeric\n@data\n{0 1, 1 0.5}\n{2 1}\n");
  expect_refused({"train", "@d.arff", "--model", "@m.json"}, 3,
                 "d.arff:6: attribute number 2 is out of range; there are 2 attributes, numbered from 0");
  folder.write("d.svm", "1 1:1\n2 0:5 3:1 2:7\n");
  expect_refused({"train", "@d.svm", "--model", "@m.json"}, 3,
                 "d.svm:2: feature 2 comes after feature 3; numbers must rise");
}

TEST_F(BadFiles, AModelUsedOnDataWithOtherColumns) {
  ASSERT_EQ(train({"--no-calibration"}).code, 0);
  folder.write("d.csv", "x,z\n1,2\n");
  for (const char* verb : {"predict", "separate"}) {
    expect_refused({verb, "@d.csv", "--model", "@m.json", "--out", "@p.csv"}, 3,
                   "d.csv: there is no column 'y', which the model was trained with; found 'x', 'z'");
  }
  folder.write("d.csv", "x,y,a,b\n1,2,0,1\n");
  for (const char* verb : {"evaluate", "analyze"}) {
    expect_refused({verb, "@d.csv", "--model", "@m.json"}, 3,
                   "d.csv: there is no column 'c', which is a label of the model; found 'x', 'y', 'a', 'b'");
  }
  folder.write("d.svm", "a 1:2 3:4\n");
  expect_refused({"predict", "@d.svm", "--model", "@m.json", "--out", "@p.csv"}, 3,
                 "d.svm:1: feature 3 is not one of the model's, 1 to 2");
}

TEST_F(BadFiles, ModelsThatAreNone) {
  ASSERT_EQ(train({"--no-calibration"}).code, 0);
  const std::string model = folder.read("m.json");
  folder.write("cut.json", model.substr(0, model.size() / 2));
  const Ran cut = run({"predict", "@test.csv", "--model", "@cut.json", "--out", "@p.csv"});
  EXPECT_EQ(cut.code, 3);
  EXPECT_EQ(cut.err.substr(0, 23), "motet: error: cut.json:");
  folder.write("other.json", R"({"format": "motet-model", "kind": "mixture", "version": 1, "fields": {}})");
  const Ran other = run({"predict", "@test.csv", "--model", "@other.json", "--out", "@p.csv"});
  EXPECT_EQ(other.code, 3);
  EXPECT_EQ(other.err.substr(0, 25), "motet: error: other.json:");
  EXPECT_EQ(folder.read("p.csv"), "");
}

TEST_F(BadFiles, OutputsNeverOverwriteInputsOrEachOther) {
  expect_refused({"train", "@train.csv", "--label-count", "3", "--model", "@train.csv"}, 2,
                 "train.csv: would overwrite an input; choose another name");
  folder.write("d.arff", "@relation x\n@attribute f numeric\n@attribute a {0,1}\n@data\n1,0\n2,1\n");
  folder.write("d.xml", "<labels><label name='a'/></labels>");
  expect_refused({"train", "@d.arff", "--model", "@d.xml"}, 2, "d.xml: would overwrite an input; choose another name");
  expect_refused({"train", "@train.csv", "--label-count", "3", "--model", ""}, 2,
                 "--model: the name of the file is empty; name one, or leave out --model");
  ASSERT_EQ(train({"--no-calibration"}).code, 0);
  expect_refused({"predict", "@test.csv", "--model", "@m.json", "--out", "@m.json"}, 2,
                 "m.json: would overwrite an input; choose another name");
  expect_refused({"predict", "@test.csv", "--model", "@m.json", "--out", "@p.csv", "--marginals", "@p.csv"}, 2,
                 "p.csv: is named for two outputs");
  expect_refused({"predict", "@test.csv", "--model", "@m.json", "--out", "-", "--json", "-"}, 2,
                 "-: standard output can take only one output; name a file for the other");
  expect_refused({"evaluate", "@test.csv", "--model", "@m.json", "--train", "@train.csv", "--compare", "lp-lda",
                  "--json", "@train.csv"},
                 2, "train.csv: would overwrite an input; choose another name");
}

TEST_F(GoodFiles, ArffWithItsXmlSaysWhereTheLabelsAre) {
  std::string arff = "@relation x\n@attribute x numeric\n@attribute y numeric\n";
  for (const char* label : {"a", "b", "c"}) arff += std::string("@attribute ") + label + " {0,1}\n";
  arff += "@data\n";
  for (const std::string& line : lines_of("train.csv")) {
    if (!line.starts_with("item,")) arff += line.substr(line.find(',') + 1) + "\n";
  }
  folder.write("x-train.arff", arff);
  folder.write("x.xml", "<labels><label name='a'/><label name='b'/><label name='c'/></labels>");
  const Ran ran = run({"train", "@x-train.arff", "--model", "@m2.json", "--no-calibration"});
  EXPECT_EQ(ran.code, 0) << ran.err;
  EXPECT_NE(ran.out.find("x-train.arff: labels are those of x.xml, which lies beside it"), std::string::npos)
      << ran.out;
  ASSERT_EQ(train({"--no-calibration"}).code, 0);
  EXPECT_EQ(folder.read("m2.json"), folder.read("m.json"));
}

}  // namespace
}  // namespace motet::multilabel::files_test
