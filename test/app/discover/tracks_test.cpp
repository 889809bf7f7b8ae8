#include "motet/app/discover/tracks.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "app/discover/support.h"
#include "motet/discover/bytes.h"
#include "motet/discover/project/project_store.h"

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

TEST_F(DiscoverTracks, RavenCountsFromTheFirstRecordingAndNeedsFrequencies) {
  folder.write("a.wav", small_wav(6.03, 1));
  folder.write("b.wav", small_wav(5.0, 2));
  done({"discover", "start", "@p.motet", "@a.wav", "@b.wav", "--radius", "4", "--components", "2"});
  discover({"label", "@p.motet", "a.wav@3.125", "tone"});
  discover({"label", "@p.motet", "b.wav@2.625", "tone"});
  const std::string header =
      "Selection\tView\tChannel\tBegin Time (s)\tEnd Time (s)\tLow Freq (Hz)\tHigh Freq (Hz)\tBegin File\tFile Offset "
      "(s)\tEnd Offset (s)\tAnnotation\tProbability\n";
  const Ran both = discover({"export", "@p.motet", "--answers-only", "--format", "raven", "--out", "@r.txt"});
  EXPECT_EQ(both.out, "2 segments written to r.txt\n");
  EXPECT_EQ(both.err, "");
  EXPECT_EQ(folder.without_path(folder.read("r.txt")),
            header + "1\tSpectrogram 1\t1\t3\t3.25\t0\t4000\ta.wav\t3\t3.25\ttone\t\n" +
                "2\tSpectrogram 1\t1\t8.53\t8.78\t0\t4000\tb.wav\t2.5\t2.75\ttone\t\n");
  const Ran one = discover({"export", "@p.motet", "--answers-only", "--format", "raven", "--recording", "@b.wav"});
  EXPECT_EQ(folder.without_path(one.out),
            header + "1\tSpectrogram 1\t1\t2.5\t2.75\t0\t4000\tb.wav\t2.5\t2.75\ttone\t\n");
  done({"discover", "start", "@q.motet", "@a.wav", "@b.wav", "--radius", "4", "--components", "2"});
  ASSERT_EQ(discover({"import", "@q.motet", "@r.txt", "--format", "raven"}).code, 0);
  EXPECT_EQ(discover({"export", "@q.motet", "--answers-only"}).out,
            discover({"export", "@p.motet", "--answers-only"}).out);
}

TEST_F(DiscoverTracks, RavenOfATableSaysThatItDoesNotKnowTheFrequencies) {
  start_and_answer();
  const Ran ran =
      discover({"export", "@p.motet", "--format", "raven", "--answers-only", "--top-hz", "8000", "--out", "@r.txt"});
  EXPECT_EQ(
      ran.out,
      "warning: the project does not know how long the sound of 'one', 'two' is; times in recordings behind it may be "
      "early by less than a window\n3 segments written to r.txt\n");
  EXPECT_NE(folder.read("r.txt").find("\t15.6\t15.7\t0\t8000\ttwo\t3.6\t3.7\towl\t"), std::string::npos)
      << folder.read("r.txt");
  const Ran one = discover({"export", "@p.motet", "--format", "raven", "--recording", "two", "--out", "@r.txt"});
  EXPECT_TRUE(
      one.out.starts_with("warning: the project does not know the sample rate of 'one', 'two'; its selections go "
                          "up to 22050 Hz, or to --top-hz\n"))
      << one.out;
  expect_refused({"export", "@p.motet", "--top-hz", "8000"}, 2, "--top-hz: needs --format raven");
}

// As programs before this one let it be given.
TEST_F(DiscoverTracks, AnOldClassNameWithATabIsExportedWithABlank) {
  start();
  {
    Project project = Project::open(folder / "p.motet", {}, {});
    Discovery discovery = project.discovery();
    const Answer answer{35, AnswerKind::of_class, "a\tb"};
    take_answer(project.features(), discovery, answer, {});
    ProjectStore store(folder / "p.motet", 1.0, Database::Access::writing);
    store.put_answer({1, answer, "Ada", 0, false});
    store.put_state({1, to_bytes(discovery)});
  }
  const std::string warning =
      "warning: the class 'a b' has a tab or a line break, which this format cannot hold; blanks stand in their "
      "place\n";
  const Ran raven = discover({"export", "@p.motet", "--format", "raven", "--answers-only", "--out", "@r.txt"});
  EXPECT_TRUE(raven.out.ends_with(warning + "1 segment written to r.txt\n")) << raven.out << raven.err;
  EXPECT_NE(folder.read("r.txt").find("\ta b\t"), std::string::npos);
  const Ran audacity = discover({"export", "@p.motet", "--format", "audacity", "--answers-only"});
  EXPECT_EQ(audacity.out, "3.5\t3.6\ta b\n");
  EXPECT_EQ(audacity.err, warning);  // the text of the verb goes nowhere
  const Ran csv = discover({"export", "@p.motet", "--answers-only"});
  EXPECT_EQ(csv.out, "sequence,begin,end,label,probability\none,3.5,3.6,a\tb,\n");
  EXPECT_EQ(csv.err, "");
  ASSERT_EQ(discover({"rename", "@p.motet", "a\tb", "ab"}).code, 0);
  EXPECT_EQ(discover({"export", "@p.motet", "--format", "audacity", "--answers-only"}).out, "3.5\t3.6\tab\n");
}

TEST_F(DiscoverTracks, ClassNamesThatAreNotOneLineAreRefused) {
  start();
  const std::string refused =
      "class 'a b' has a tab, a line break or another control character; a class name is one line of text";
  expect_refused({"label", "@p.motet", "35", "a\tb"}, 2, refused);
  folder.write("s.csv", "sequence,begin,end,label\none,1,2,\"a\nb\"\n");
  expect_refused({"import", "@p.motet", "@s.csv"}, 2, "s.csv: " + refused);
}

TEST_F(DiscoverTracks, TheTimeOfDayIsToldWhereItIsKnown) {
  start({}, small_table("20260519_043000.wav,dawn.wav"));
  EXPECT_EQ(first_line(discover({"label", "@p.motet", "20260519_043000.wav@04:30:03.55", "frog"})),
            "answer 1 is on the disk: item 36 (3.5 s to 3.6 s of 20260519_043000.wav, 2026-05-19 04:30:03.500) is "
            "'frog', a new class");
  discover({"label", "@p.motet", "dawn.wav@0:03.65", "owl"});
  EXPECT_EQ(discover({"export", "@p.motet", "--answers-only", "--clock"}).out,
            "sequence,begin,end,label,probability,begin_clock\n"
            "20260519_043000.wav,3.5,3.6,frog,,2026-05-19T04:30:03.500\n"
            "dawn.wav,3.6,3.7,owl,,\n");
  EXPECT_EQ(discover({"export", "@p.motet", "--answers-only"}).out,
            "sequence,begin,end,label,probability\n"
            "20260519_043000.wav,3.5,3.6,frog,\n"
            "dawn.wav,3.6,3.7,owl,\n");
  const Value json = discover({"export", "@p.motet", "--answers-only", "--format", "json"}).json();
  EXPECT_EQ(json.at("segments").as_list()[0].at("begin_clock").as_text(), "2026-05-19T04:30:03.500");
  EXPECT_EQ(json.at("answers").as_list()[0].at("begin_clock").as_text(), "2026-05-19T04:30:03.500");
  EXPECT_EQ(json.at("answers").as_list()[1].find("begin_clock"), nullptr);
  const Value status = discover({"status", "@p.motet", "--json", "-"}).json();
  EXPECT_EQ(status.at("recordings").as_list()[0].at("begin_clock").as_text(), "2026-05-19T04:30:00");
  expect_refused({"export", "@p.motet", "--clock", "--format", "raven"}, 2, "--clock: needs --format csv");
  folder.write("e.csv", small_table());
  done({"discover", "start", "@e.motet", "@e.csv", "--radius", "5", "--hop", "0.1", "--components", "2"});
  EXPECT_EQ(discover({"export", "@e.motet", "--clock"}).err,
            "warning: --clock: no name of a recording says when it began\n");
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

TEST_F(DiscoverTracks, SegmentsHaveAThreshold) {
  start_and_answer();
  const auto lines = [&](const Words& more) {
    const std::string text = discover(joined({"export", "@p.motet"}, more)).out;
    return std::count(text.begin(), text.end(), '\n');
  };
  EXPECT_EQ(lines({"--threshold", "1"}), 3);  // what a person said holds
  EXPECT_GE(lines({"--threshold", "0"}), lines({}));
  EXPECT_NE(discover({"export", "@p.motet", "--threshold", "1"}).out.find(",frog,1\n"), std::string::npos);
  EXPECT_NE(discover({"export", "@p.motet", "--propagation", "mixture"}).out.find(",owl,"), std::string::npos);
  expect_refused({"export", "@p.motet", "--propagation", "mixture", "--threshold", "0.5"}, 2,
                 "--threshold: is for --propagation learned; the mixture's probabilities are not calibrated");
}

}  // namespace
}  // namespace motet::discover::tracks_test
