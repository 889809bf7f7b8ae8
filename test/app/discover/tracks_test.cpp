#include "motet/app/discover/tracks.h"

#include <gtest/gtest.h>

#include "app/discover/support.h"

namespace motet::discover::tracks_test {
namespace {

class DiscoverTracks : public DiscoverCommand {
 protected:
  void start_and_answer() const {
    start();
    discover({"label", "@p.motet", "36", "frog", "--by", "Ada"});
    discover({"label", "@p.motet", "157", "owl"});
    discover({"label", "@p.motet", "100", "--nothing"});
    discover({"label", "@p.motet", "220", "--not-sure"});
  }
};

TEST_F(DiscoverTracks, AnswersAreExportedAsTheyWereGiven) {
  start_and_answer();
  EXPECT_EQ(discover({"export", "@p.motet", "--answers-only"}).out,
            "sequence,begin,end,label,probability\n"
            "one,3.5,3.6,frog,\n"
            "one,9.9,10,background,\n"
            "two,3.6,3.7,owl,\n");
  const Value json = discover({"export", "@p.motet", "--format", "json"}).json();
  const Value::List& answers = json.at("answers").as_list();
  ASSERT_EQ(answers.size(), 4U);
  EXPECT_EQ(answers[0].at("class").as_text(), "frog");
  EXPECT_EQ(answers[0].at("by").as_text(), "Ada");
  EXPECT_EQ(answers[2].at("answer").as_text(), "nothing");
  EXPECT_EQ(answers[3].at("answer").as_text(), "not_sure");
  EXPECT_FALSE(answers[3].at("undone").as_bool());
}

TEST_F(DiscoverTracks, SegmentsFollowFromTheAnswers) {
  start_and_answer();
  const Ran csv = discover({"export", "@p.motet", "--out", "@s.csv"});
  ASSERT_EQ(csv.code, 0) << csv.err;
  EXPECT_TRUE(csv.out.ends_with(" written to s.csv\n")) << csv.out;
  EXPECT_NE(folder.read("s.csv").find("one,3,4.2,frog,"), std::string::npos) << folder.read("s.csv");
  EXPECT_NE(folder.read("s.csv").find(",owl,"), std::string::npos) << folder.read("s.csv");
  const Ran track = discover({"export", "@p.motet", "--format", "audacity", "--recording", "two"});
  EXPECT_NE(track.out.find("\towl\n"), std::string::npos) << track.out;
  const Ran raven = discover({"export", "@p.motet", "--format", "raven"});
  EXPECT_NE(raven.out.find("Begin Time (s)"), std::string::npos) << raven.out;
  EXPECT_EQ(track.out.find("frog"), std::string::npos) << track.out;
  EXPECT_EQ(discover({"export", "@p.motet", "--format", "audacity"}).code, 4);  // two recordings
}

TEST_F(DiscoverTracks, WhatWasExportedComesBackAsTheSameAnswers) {
  start_and_answer();
  discover({"export", "@p.motet", "--answers-only", "--out", "@a.csv"});
  ASSERT_EQ(discover({"start", "@q.motet", "@d.csv", "--radius", "5", "--hop", "0.1", "--components", "2"}).code, 0);
  const Ran ran = discover({"import", "@q.motet", "@a.csv", "--by", "Cem"});
  ASSERT_EQ(ran.code, 0) << ran.err;
  EXPECT_EQ(first_line(ran), "3 labels became 3 answers on the disk");
  EXPECT_EQ(discover({"export", "@q.motet", "--answers-only"}).out, folder.read("a.csv"));
  discover({"export", "@p.motet", "--answers-only", "--format", "raven", "--out", "@a.txt"});
  ASSERT_EQ(discover({"start", "@r.motet", "@d.csv", "--radius", "5", "--hop", "0.1", "--components", "2"}).code, 0);
  ASSERT_EQ(discover({"import", "@r.motet", "@a.txt", "--format", "raven"}).code, 0);
  EXPECT_EQ(discover({"export", "@r.motet", "--answers-only"}).out, folder.read("a.csv"));
}

TEST_F(DiscoverTracks, ALongLabelBecomesAsManyAnswersAsCoverIt) {
  start();
  folder.write("track.txt", "3.0\t4.1\tfrog\n5\t8.4\ttrain\n");
  const Ran ran = discover({"import", "@p.motet", "@track.txt", "--format", "audacity", "--recording", "one"});
  ASSERT_EQ(ran.code, 0) << ran.err;
  EXPECT_EQ(first_line(ran), "2 labels became 5 answers on the disk");
  EXPECT_EQ(discover({"export", "@p.motet", "--answers-only"}).out,
            "sequence,begin,end,label,probability\n"
            "one,3.5,3.6,frog,\n"
            "one,5.4,5.5,train,\n"
            "one,6.2,6.3,train,\n"
            "one,7.1,7.2,train,\n"
            "one,7.9,8,train,\n");
}

TEST_F(DiscoverTracks, LabelsThatCannotBeTakenIn) {
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

TEST_F(DiscoverTracks, ExportsThatCannotBe) {
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

}  // namespace
}  // namespace motet::discover::tracks_test
