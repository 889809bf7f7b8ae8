#include "motet/app/discover/data.h"

#include <gtest/gtest.h>

#include "app/discover/support.h"

namespace motet::discover::data_test {
namespace {

class DiscoverDataFiles : public DiscoverCommand {};

TEST_F(DiscoverDataFiles, RecordingsAreReadWithTheirFeatures) {
  folder.write("one.wav", small_wav(6.0, 1));
  folder.write("two.wav", small_wav(5.0, 2));
  const Ran ran =
      discover({"start", "@p.motet", "@one.wav", "--radius", "4", "--components", "2", "--coefficients", "5"});
  ASSERT_EQ(ran.code, 0) << ran.err;
  EXPECT_TRUE(ran.out.starts_with("p.motet: 58 rows of 5 features, 5.95 s; strategy adaptive\n")) << ran.out;
  ASSERT_EQ(discover({"label", "@p.motet", "@3.5", "tone"}).code, 2);  // '@3.5' is a file name of the test folder
  EXPECT_EQ(first_line(discover({"label", "@p.motet", "one.wav@3.5", "tone"})),
            "answer 1 is on the disk: item 35 (3.4 s to 3.65 s of one.wav) is 'tone', a new class");
  ASSERT_EQ(discover({"add", "@p.motet", "@two.wav"}).code, 0);  // with five coefficients as well
  const Value status = discover({"status", "@p.motet", "--json", "-"}).json();
  EXPECT_EQ(status.at("dimensions").as_whole(), 5);
  EXPECT_EQ(status.at("rows").as_whole(), 58 + 48);
}

TEST_F(DiscoverDataFiles, TheSetMadeForDiscoveryIsTheDefault) {
  folder.write("one.wav", small_wav(6.0, 1));
  folder.write("two.wav", small_wav(5.0, 2));
  const Ran ran = discover({"start", "@p.motet", "@one.wav", "--radius", "4", "--components", "2"});
  ASSERT_EQ(ran.code, 0) << ran.err;
  EXPECT_TRUE(ran.out.starts_with("p.motet: 58 rows of 78 features, 5.95 s; strategy adaptive\n")) << ran.out;
  ASSERT_EQ(discover({"add", "@p.motet", "@two.wav"}).code, 0);
  EXPECT_EQ(discover({"status", "@p.motet", "--json", "-"}).json().at("rows").as_whole(), 58 + 48);
}

TEST_F(DiscoverDataFiles, RatesThatDifferAreTold) {
  folder.write("one.wav", small_wav(6.0, 1));
  folder.write("two.wav", small_wav(5.0, 2, 11'025));
  const std::string warning =
      "two.wav: has 11025 samples per second and one.wav 8000: their bands are other frequencies, so that one is "
      "unlike "
      "the other whatever is heard; bring all to one with --rate 8000 from the start";
  const Words more = {"--radius", "4", "--components", "2"};
  EXPECT_NE(discover(joined({"start", "@p.motet", "@one.wav", "@two.wav"}, more)).out.find(warning), std::string::npos);
  const Ran one = discover(joined({"start", "@q.motet", "@one.wav"}, more));
  EXPECT_EQ(one.out.find("samples per second"), std::string::npos) << one.out;
  const Ran added = discover({"add", "@q.motet", "@two.wav"});
  EXPECT_NE(added.out.find("two.wav: has 11025 samples per second and the first recording 8000: their bands"),
            std::string::npos)
      << added.out << added.err;
  const Ran same = discover(joined({"start", "@r.motet", "@one.wav", "@two.wav", "--rate", "8000"}, more));
  EXPECT_EQ(same.out.find("samples per second"), std::string::npos) << same.out;
}

TEST_F(DiscoverDataFiles, AnySetOfFeaturesCanBeSearched) {
  folder.write("one.wav", small_wav(6.0, 1));
  folder.write("two.wav", small_wav(5.0, 2));
  const Ran ran =
      discover({"start", "@p.motet", "@one.wav", "--set", "mfcc,log-mel", "--coefficients", "3", "--bands", "4",
                "--radius", "4", "--components", "2", "--weights", "quadratic", "--covariance", "tied"});
  ASSERT_EQ(ran.code, 0) << ran.err;
  ASSERT_EQ(discover({"add", "@p.motet", "@two.wav"}).code, 0);
  const Value status = discover({"status", "@p.motet", "--json", "-"}).json();
  EXPECT_EQ(status.at("dimensions").as_whole(), 7);
  EXPECT_EQ(status.at("rows").as_whole(), 58 + 48);
  const Ran unknown = discover({"start", "@q.motet", "@one.wav", "--set", "songs"});
  EXPECT_EQ(unknown.code, 2);
  EXPECT_TRUE(unknown.err.starts_with("motet: error: --set: 'songs' is not one of mfcc")) << unknown.err;
}

TEST_F(DiscoverDataFiles, DataThatCannotBeUsed) {
  folder.write("nan.csv", "a,b\n1,2\n3,nan\n");
  expect_refused({"start", "@p.motet", "@nan.csv"}, 3,
                 "nan.csv:3: row 2 column 'b' is 'nan'; every feature needs a finite number");
  folder.write("short.csv", "a\n1\n2\n3\n");
  expect_refused({"start", "@p.motet", "@short.csv", "--radius", "3", "--components", "1"}, 2,
                 "--radius 3 is not shorter than the longest sequence; it has 3 rows");
  folder.write("one.wav", small_wav(1.0, 1));
  expect_refused({"start", "@p.motet", "@one.wav", "@short.csv"}, 2,
                 "recordings and tables of features do not go together; give files of one kind");
  expect_refused({"start", "@p.motet", "@one.wav", "@one.wav"}, 2, "one.wav: is named twice");
  expect_refused({"start", "@p.motet", "@short.csv", "--window", "1"}, 2,
                 "--window: needs --hop when the rows come from a table");
  folder.write("blip.wav", small_wav(0.1, 1));
  expect_refused({"start", "@p.motet", "@blip.wav"}, 3, "blip.wav: 0.1 s are shorter than the window of 0.25 s");
  EXPECT_EQ(folder.file_count(), 4U);
}

TEST_F(DiscoverDataFiles, FilesThatCannotBeAdded) {
  start();
  expect_refused({"add", "@p.motet", "@d.csv"}, 2, "p.motet: 'one' is in the project already");
  folder.write("other.csv", "sequence,a,c\nx,1,2\n");
  expect_refused({"add", "@p.motet", "@other.csv"}, 3,
                 "the features have 2 columns that are not the 2 of the others; name and order must agree");
  folder.write("one.wav", small_wav(1.0, 1));
  expect_refused({"add", "@p.motet", "@one.wav"}, 2,
                 "one.wav: the project began with tables of features; add files of the same kind");
}

TEST_F(DiscoverDataFiles, TablesFollowEachOtherAndNoSequenceComesTwice) {
  folder.write("a.csv", small_table("one,two"));
  folder.write("b.csv", small_table("three,four", 8));
  const Ran ran = discover({"start", "@p.motet", "@a.csv", "@b.csv", "--radius", "5", "--components", "2"});
  ASSERT_EQ(ran.code, 0) << ran.err;
  EXPECT_TRUE(ran.out.starts_with("p.motet: 480 rows of 2 features in 4 recordings; ")) << ran.out;
  folder.write("c.csv", small_table("three,one", 8));
  expect_refused({"start", "@q.motet", "@a.csv", "@c.csv", "--strict"}, 3,
                 "c.csv: sequence 'one' is in a file before it already");
  folder.write("d.csv", "sequence,a,c\nx,1,2\n");
  expect_refused({"start", "@q.motet", "@a.csv", "@d.csv", "--strict"}, 3,
                 "d.csv: the features have 2 columns that are not the 2 of the others; name and order must agree");
}

TEST_F(DiscoverDataFiles, ABadFileIsLeftOutWithAWarning) {
  folder.write("one.wav", small_wav(6.0, 1));
  folder.write("two.wav", small_wav(5.0, 2));
  folder.write("text.wav", "this is no sound");
  folder.write("blip.wav", small_wav(0.1, 1));
  const Words words = {"start",    "@p.motet", "@text.wav", "@one.wav",     "@gone.wav",
                       "@two.wav", "--radius", "4",         "--components", "2"};
  const std::string text_wav =
      "text.wav: cannot be read as a recording: Format not recognised; wav, flac, ogg and mp3 are known";
  expect_refused(joined(words, {"--strict"}), 3, text_wav);
  const Ran ran = discover(words);
  ASSERT_EQ(ran.code, 0) << ran.err;
  EXPECT_TRUE(
      ran.out.starts_with("warning: " + text_wav +
                          "; it was left out\nwarning: gone.wav: cannot be opened: No such file or directory; it was "
                          "left out\n"
                          "p.motet: 106 rows of 78 features in 2 recordings, 10.9 s; strategy adaptive\n"))
      << ran.out;
  folder.write("three.wav", small_wav(5.0, 3));
  const Ran added = discover({"add", "@p.motet", "@blip.wav", "@three.wav"});
  ASSERT_EQ(added.code, 0) << added.err;
  EXPECT_TRUE(
      added.out.starts_with("warning: blip.wav: 0.1 s are shorter than the window of 0.25 s; it was left out\n48 rows "
                            "were added: 154 in all, and what was learned is kept\n"))
      << added.out;
  expect_refused({"add", "@p.motet", "@blip.wav", "@one.wav", "--strict"}, 3,
                 "blip.wav: 0.1 s are shorter than the window of 0.25 s");
  expect_refused({"start", "@q.motet", "@blip.wav", "@text.wav"}, 3,
                 "none of the 2 files can be read; the first: blip.wav: 0.1 s are shorter than the window of 0.25 s");
  EXPECT_FALSE(std::filesystem::exists(folder / "q.motet"));
}

TEST_F(DiscoverDataFiles, WhatIsAddedIsReadAsTheFirstFilesWere) {
  folder.write("a.csv", "when;a;note\n1;0.5;x\n1;0.25;x\n1;4;x\n1;0;x\n1;1;x\n1;0.5;x\n");
  folder.write("b.csv", "when;a;note\n2;0.5;x\n2;3;x\n");
  ASSERT_EQ(discover({"start", "@p.motet", "@a.csv", "--radius", "1", "--components", "1", "--delimiter", ";",
                      "--sequence-column", "when", "--leave-out", "note", "--hop", "0.5"})
                .code,
            0);
  ASSERT_EQ(discover({"add", "@p.motet", "@b.csv"}).code, 0);
  const Value status = discover({"status", "@p.motet", "--json", "-"}).json();
  EXPECT_EQ(status.at("rows").as_whole(), 8);
  EXPECT_EQ(status.at("dimensions").as_whole(), 1);
  EXPECT_EQ(status.at("recordings").as_list().at(1).at("name").as_text(), "2");
}

}  // namespace
}  // namespace motet::discover::data_test
