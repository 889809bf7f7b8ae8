// Everything a user can do wrong with `motet discover`, with the exact answer.
#include <gtest/gtest.h>

#include "cli/discover_support.h"

namespace motet::discover_bad_input_test {
namespace {

class BadDiscover : public DiscoverCommand {
 protected:
  void expect_refused(const std::vector<std::string>& words, int code, const std::string& text) const {
    std::vector<std::string> all = {"discover"};
    all.insert(all.end(), words.begin(), words.end());
    expect_error(all, code, text);
  }
};

TEST_F(BadDiscover, ArgumentsThatAreMissing) {
  expect_refused({"start", "@p.motet"}, 2, "DATA is required; see motet discover start --help");
  expect_refused({"label", "@p.motet"}, 2, "ITEM is required; see motet discover label --help");
  expect_refused({"simulate", "@d.csv"}, 2, "simulate: needs --truth-column");
}

TEST_F(BadDiscover, AProjectThatIsThereAlready) {
  start();
  expect_refused({"start", "@p.motet", "@d.csv"}, 2,
                 "p.motet: there is such a file already; choose another name, or go on with it by `motet discover "
                 "next`");
}

TEST_F(BadDiscover, AProjectThatIsNone) {
  folder.write("d.csv", small_table());
  for (const char* verb : {"next", "undo", "status", "export"}) {
    expect_refused({verb, "@none.motet"}, 3, "none.motet: cannot be opened: No such file or directory");
    expect_refused({verb, "@d.csv"}, 3, "d.csv: not a motet project");
  }
  expect_refused({"label", "@d.csv", "1", "x"}, 3, "d.csv: not a motet project");
  expect_refused({"add", "@d.csv", "@d.csv"}, 3, "d.csv: not a motet project");
}

TEST_F(BadDiscover, DataThatCannotBeUsed) {
  folder.write("nan.csv", "a,b\n1,2\n3,nan\n");
  expect_refused({"start", "@p.motet", "@nan.csv"}, 3,
                 "nan.csv:3: row 2 column 'b' is 'nan'; every feature needs a finite number");
  folder.write("short.csv", "a\n1\n2\n3\n");
  expect_refused({"start", "@p.motet", "@short.csv", "--radius", "3", "--components", "1"}, 2,
                 "radius = 3 is not shorter than the longest sequence; it has 3 rows");
  folder.write("one.wav", small_wav(1.0, 1));
  expect_refused({"start", "@p.motet", "@one.wav", "@short.csv"}, 2,
                 "recordings and tables of features do not go together; give files of one kind");
  expect_refused({"start", "@p.motet", "@one.wav", "@one.wav"}, 2, "one.wav: is named twice");
  expect_refused({"start", "@p.motet", "@short.csv", "--window", "1"}, 2,
                 "window: needs --hop when the rows come from a table");
  folder.write("blip.wav", small_wav(0.1, 1));
  expect_refused({"start", "@p.motet", "@blip.wav"}, 3, "blip.wav: 0.1 s are shorter than the window of 0.25 s");
  EXPECT_EQ(folder.file_count(), 4U);
}

TEST_F(BadDiscover, ItemsThatAreNotThere) {
  start();
  const std::string range = " is not there; items are 1 to 240, or RECORDING@SECONDS";
  expect_refused({"label", "@p.motet", "241", "x"}, 2, "p.motet: item '241'" + range);
  expect_refused({"label", "@p.motet", "0", "x"}, 2, "p.motet: item '0'" + range);
  expect_refused({"label", "@p.motet", "first", "x"}, 2, "p.motet: item 'first'" + range);
  expect_refused({"label", "@p.motet", "one@soon", "x"}, 2, "p.motet: item 'one@soon'" + range);
  expect_refused({"label", "@p.motet", "one@12.5", "x"}, 2,
                 "p.motet: item 'one@12.5' is not there; 'one' ends at 12 s");
  expect_refused({"label", "@p.motet", "six@2", "x"}, 2,
                 "p.motet: recording 'six' is not in the project; it has 'one', 'two'");
  EXPECT_TRUE(discover({"export", "@p.motet", "--format", "json"}).json().at("answers").as_list().empty());
}

TEST_F(BadDiscover, AnswersThatSayNothingOrTooMuch) {
  start();
  expect_refused({"label", "@p.motet", "7"}, 2, "label: say what it is: CLASS, --nothing or --not-sure");
  expect_refused({"label", "@p.motet", "7", "frog", "--nothing"}, 2,
                 "label: only one of CLASS, --nothing and --not-sure can hold");
  expect_refused({"label", "@p.motet", "7", ""}, 2, "label: the class has no name; say CLASS, --nothing or --not-sure");
  expect_refused({"undo", "@p.motet"}, 2, "p.motet: there is no answer to undo");
  expect_refused({"undo", "@p.motet", "--steps", "0"}, 2, "steps = 0 is outside [1, 1000000000]");
}

TEST_F(BadDiscover, FilesThatCannotBeAdded) {
  start();
  expect_refused({"add", "@p.motet", "@d.csv"}, 2, "p.motet: 'one' is in the project already");
  folder.write("other.csv", "sequence,a,c\nx,1,2\n");
  expect_refused({"add", "@p.motet", "@other.csv"}, 3,
                 "the features have 2 columns that are not the 2 of the others; name and order must agree");
  folder.write("one.wav", small_wav(1.0, 1));
  expect_refused({"add", "@p.motet", "@one.wav"}, 2,
                 "one.wav: the project began with tables of features; add files of the same kind");
}

TEST_F(BadDiscover, LabelsThatCannotBeTakenIn) {
  start();
  folder.write("track.txt", "1\t2\tfrog\n");
  expect_refused({"import", "@p.motet", "@track.txt", "--format", "audacity"}, 2,
                 "track.txt: does not say which recording it is of; name it with --recording");
  expect_refused({"import", "@p.motet", "@track.txt", "--format", "audacity", "--recording", "six"}, 2,
                 "track.txt: recording 'six' is not in the project; it has 'one', 'two'");
  folder.write("late.txt", "100\t200\tfrog\n");
  expect_refused({"import", "@p.motet", "@late.txt", "--format", "audacity", "--recording", "one"}, 3,
                 "late.txt: segment 'frog' from 100 to 200 lies outside sequence 'one', which ends at 12");
  folder.write("empty.txt", "");
  expect_refused({"import", "@p.motet", "@empty.txt", "--format", "audacity"}, 3, "empty.txt: there are no labels");
  folder.write("mute.txt", "1\t2\t\n");
  expect_refused({"import", "@p.motet", "@mute.txt", "--format", "audacity", "--recording", "one"}, 3,
                 "mute.txt: the label from 1 to 2 has no text");
}

TEST_F(BadDiscover, ExportsThatCannotBe) {
  folder.write("d.csv", small_table());
  ASSERT_EQ(discover({"start", "@p.motet", "@d.csv", "--radius", "5", "--components", "2"}).code, 0);
  expect_refused({"export", "@p.motet", "--format", "audacity"}, 4,
                 "p.motet: its rows have no time, which this format needs; use --format csv or json, or start with "
                 "--hop");
  expect_refused({"export", "@p.motet", "--recording", "six"}, 2,
                 "p.motet: recording 'six' is not in the project; it has 'one', 'two'");
  expect_refused({"export", "@p.motet", "--out", "@p.motet"}, 2,
                 "p.motet: would overwrite an input; choose another name");
}

TEST_F(BadDiscover, SimulationsThatCannotBe) {
  folder.write("d.csv", "a,y\n1,x\n2,x\n");
  expect_refused({"simulate", "@d.csv", "--truth-column", "y"}, 4,
                 "d.csv: all rows are of class 'x'; there is nothing to find");
  folder.write("e.csv", "a,y\n1,x\n2,\n");
  expect_refused({"simulate", "@e.csv", "--truth-column", "y"}, 3,
                 "e.csv: item 2 has no class in column 'y'; a simulation needs all");
  expect_refused({"generate", "--rows", "30", "--classes", "2", "--event-length", "20"}, 2,
                 "2 events of 20 rows do not fit into rows = 30");
  expect_refused({"generate", "--truth-column", "x1"}, 2, "truth_column: 'x1' is empty or the name of a feature");
}

}  // namespace
}  // namespace motet::discover_bad_input_test
