// A search from the command line, from start to export.
#include <gtest/gtest.h>

#include "cli/discover_support.h"

namespace motet::discover_test {
namespace {

class DiscoverSearch : public DiscoverCommand {};

TEST_F(DiscoverSearch, StartSaysWhatWasChosenAndWhatToLookAt) {
  folder.write("d.csv", small_table());
  const Ran ran = discover({"start", "@p.motet", "@d.csv", "--hop", "0.1", "--threads", "1"});
  ASSERT_EQ(ran.code, 0) << ran.err;
  EXPECT_TRUE(ran.out.starts_with("p.motet: 240 rows of 2 features in 2 recordings, 24 s; strategy temporal\n"))
      << ran.out;
  for (const char* word :
       {"radius", "components", "exclusion", "After at most ", " questions, nothing that lasts ", "item  where"}) {
    EXPECT_NE(ran.out.find(word), std::string::npos) << word << "\n" << ran.out;
  }
  EXPECT_EQ(folder.file_count(), 2U);
}

TEST_F(DiscoverSearch, TheSameSeedMakesTheSameProjectOnAnyNumberOfThreads) {
  folder.write("d.csv", small_table());
  ASSERT_EQ(discover({"start", "@a.motet", "@d.csv", "--threads", "1"}).code, 0);
  ASSERT_EQ(discover({"start", "@b.motet", "@d.csv", "--threads", "3"}).code, 0);
  EXPECT_EQ(folder.read("a.motet"), folder.read("b.motet"));
}

TEST_F(DiscoverSearch, EveryClassIsFoundWithinTheGuarantee) {
  start();
  std::vector<std::string> found;
  const std::int64_t most = next_of().at("questions_left").as_whole();
  EXPECT_EQ(most, 40);  // two sequences of 120 rows, questions more than 5 rows apart
  std::int64_t asked = 0;
  for (Value next = next_of(); !next.at("items").as_list().empty(); next = next_of()) {
    ASSERT_LE(++asked, most);
    const Value& item = next.at("items").as_list()[0];
    const std::int64_t row = item.at("row").as_whole();
    std::vector<std::string> words = {"label", "@p.motet", item.at("item").as_text()};
    if (row >= 31 && row <= 42) {
      words.push_back("frog");
    } else if (row >= 151 && row <= 162) {
      words.push_back("owl");
    } else {
      words.push_back("--nothing");
    }
    const Ran ran = discover(words);
    ASSERT_EQ(ran.code, 0) << ran.err;
    if (ran.out.find("a new class") != std::string::npos) found.push_back(words[3]);
  }
  EXPECT_EQ(found.size(), 2U);
  const Ran status = discover({"status", "@p.motet"});
  EXPECT_NE(status.out.find("Nothing that lasts 1.1 s or longer is left.\n"), std::string::npos) << status.out;
  EXPECT_EQ(discover({"next", "@p.motet"}).out,
            "Nothing is left to ask. Nothing that lasts 1.1 s or longer is left.\n");
  EXPECT_TRUE(next_of().at("complete").as_bool());
}

TEST_F(DiscoverSearch, AnswersAreAcknowledgedAndTakenBack) {
  start();
  const Value before = next_of();
  EXPECT_EQ(first_line(discover({"label", "@p.motet", "35", "frog", "--by", "Ada"})),
            "answer 1 is on the disk: item 35 (3.4 s to 3.5 s of one) is 'frog', a new class");
  EXPECT_EQ(first_line(discover({"label", "@p.motet", "36", "frog"})),
            "answer 2 is on the disk: item 36 (3.5 s to 3.6 s of one) is 'frog'");
  EXPECT_EQ(first_line(discover({"label", "@p.motet", "2", "--nothing"})),
            "answer 3 is on the disk: item 2 (0.1 s to 0.2 s of one) is nothing");
  EXPECT_EQ(first_line(discover({"label", "@p.motet", "121", "--not-sure"})),
            "answer 4 is on the disk: item 121 (0 s to 0.1 s of two) is not sure");
  EXPECT_EQ(first_line(discover({"label", "@p.motet", "200", "nothing"})),
            "answer 5 is on the disk: item 200 (7.9 s to 8 s of two) is 'nothing', a new class");
  EXPECT_EQ(first_line(discover({"undo", "@p.motet"})), "answer 5 is undone: item 200 was 'nothing'");
  const Ran undone = discover({"undo", "@p.motet", "--steps", "4"});
  EXPECT_TRUE(
      undone.out.starts_with("answer 4 is undone: item 121 was not sure\n"
                             "answer 3 is undone: item 2 was nothing\n"
                             "answer 2 is undone: item 36 was 'frog'\n"
                             "answer 1 is undone: item 35 was 'frog', by Ada\n\n"))
      << undone.out;
  EXPECT_EQ(next_of(), before);
}

TEST_F(DiscoverSearch, ItemsAreFoundByRowByTimeAndByName) {
  start();
  EXPECT_EQ(first_line(discover({"label", "@p.motet", "#7", "--nothing"})),
            "answer 1 is on the disk: item 7 (0.6 s to 0.7 s of one) is nothing");
  EXPECT_EQ(first_line(discover({"label", "@p.motet", "two@3.46", "owl"})),
            "answer 2 is on the disk: item 155 (3.4 s to 3.5 s of two) is 'owl', a new class");
  folder.write("named.csv", "item,a\nfirst,1\nsecond,2\n@3,2.5\n#2,1\nx,9\ny,8\nz,1.25\n");
  folder.write("more.csv", "item,a\nthird,1\nsecond,2\n");
  ASSERT_EQ(discover({"start", "@n.motet", "@named.csv", "--radius", "1", "--components", "2"}).code, 0);
  ASSERT_EQ(discover({"add", "@n.motet", "@more.csv"}).code, 0);
  EXPECT_EQ(first_line(discover({"label", "@n.motet", "first", "--nothing"})),
            "answer 2 is on the disk: item first (row 1 of named.csv) is nothing");
  EXPECT_EQ(first_line(discover({"label", "@n.motet", "#2", "c"})),
            "answer 3 is on the disk: item #2 (row 4 of named.csv) is 'c', a new class");
  expect_error({"discover", "label", "@n.motet", "second", "c"}, 2,
               "n.motet: item 'second' is there more than once; say #2 or #9, the number of its row");
  EXPECT_EQ(first_line(discover({"label", "@n.motet", "#9", "c"})),
            "answer 4 is on the disk: item second (row 2 of more.csv) is 'c'");
  expect_error({"discover", "label", "@n.motet", "5", "c"}, 2,
               "n.motet: item '5' is not there; items are named as in the data, or #1 to #9");
}

TEST_F(DiscoverSearch, StatusTellsClassesLabelersAndTheGuarantee) {
  start();
  discover({"label", "@p.motet", "35", "frog", "--by", "Ada"});
  discover({"label", "@p.motet", "2", "--nothing", "--by", "Bo"});
  discover({"label", "@p.motet", "121", "--not-sure"});
  discover({"label", "@p.motet", "155", "owl", "--by", "Bo"});
  discover({"undo", "@p.motet"});
  const Ran ran = discover({"status", "@p.motet", "--json", "@s.json", "--report", "@s.html"});
  ASSERT_EQ(ran.code, 0) << ran.err;
  EXPECT_NE(ran.out.find("class       answers  first\n"
                         "background        1      2\n"
                         "frog              1      1\n"
                         "(not sure)        1"),
            std::string::npos)
      << ran.out;
  EXPECT_NE(ran.out.find("by         answers  undone\n"
                         "(no name)        1       0\n"
                         "Ada              1       0\n"
                         "Bo               1       1\n"),
            std::string::npos)
      << ran.out;
  EXPECT_NE(ran.out.find("By now nothing that lasts 12.1 s or longer is left unseen. After at most "),
            std::string::npos)
      << ran.out;
  const Value json = json_of("s.json");
  EXPECT_EQ(json.at("rows").as_whole(), 240);
  EXPECT_EQ(json.at("recordings").as_list()[1].at("name").as_text(), "two");
  EXPECT_EQ(json.at("certificate").at("answered").as_whole(), 2);
  EXPECT_EQ(json.at("certificate").at("most_requests").as_whole(), 40);
  EXPECT_EQ(json.at("undone").as_whole(), 1);
  EXPECT_TRUE(folder.read("s.html").starts_with("<!DOCTYPE html>"));
}

TEST_F(DiscoverSearch, RowsWithoutTimeAreCountedInRows) {
  folder.write("d.csv", small_table());
  ASSERT_EQ(discover({"start", "@p.motet", "@d.csv", "--radius", "5", "--components", "2"}).code, 0);
  const Ran ran = discover({"status", "@p.motet"});
  EXPECT_NE(ran.out.find("After at most 40 questions, nothing of 11 rows or more in a row is left.\n"),
            std::string::npos)
      << ran.out;
}

TEST_F(DiscoverSearch, MoreRowsKeepWhatWasLearned) {
  start();
  discover({"label", "@p.motet", "35", "frog"});
  folder.write("more.csv", small_table("three,four", 8));
  const Ran ran = discover({"add", "@p.motet", "@more.csv"});
  ASSERT_EQ(ran.code, 0) << ran.err;
  EXPECT_TRUE(ran.out.starts_with("240 rows were added: 480 in all, and what was learned is kept\n\n")) << ran.out;
  const Value status = discover({"status", "@p.motet", "--json", "-"}).json();
  EXPECT_EQ(status.at("recordings").as_list().size(), 4U);
  EXPECT_EQ(status.at("classes").as_list().size(), 2U);
  EXPECT_EQ(first_line(discover({"label", "@p.motet", "four@3.3", "owl"})),
            "answer 3 is on the disk: item 394 (3.3 s to 3.4 s of four) is 'owl', a new class");
}

TEST_F(DiscoverSearch, RecordingsAreReadWithTheirFeatures) {
  folder.write("one.wav", small_wav(6.0, 1));
  folder.write("two.wav", small_wav(5.0, 2));
  const Ran ran =
      discover({"start", "@p.motet", "@one.wav", "--radius", "4", "--components", "2", "--coefficients", "5"});
  ASSERT_EQ(ran.code, 0) << ran.err;
  EXPECT_TRUE(ran.out.starts_with("p.motet: 58 rows of 5 features, 5.95 s; strategy temporal\n")) << ran.out;
  ASSERT_EQ(discover({"label", "@p.motet", "@3.5", "tone"}).code, 2);  // '@3.5' is a file name of the test folder
  EXPECT_EQ(first_line(discover({"label", "@p.motet", "one.wav@3.5", "tone"})),
            "answer 1 is on the disk: item 35 (3.4 s to 3.65 s of one.wav) is 'tone', a new class");
  ASSERT_EQ(discover({"add", "@p.motet", "@two.wav"}).code, 0);  // with five coefficients as well
  const Value status = discover({"status", "@p.motet", "--json", "-"}).json();
  EXPECT_EQ(status.at("dimensions").as_whole(), 5);
  EXPECT_EQ(status.at("rows").as_whole(), 58 + 48);
}

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

class DiscoverSimulate : public DiscoverCommand {};

TEST_F(DiscoverSimulate, TellsWhenEachClassWasFound) {
  ASSERT_EQ(discover({"generate", "--rows", "400", "--dimensions", "3", "--classes", "2", "--event-length", "15",
                      "--out", "@d.csv"})
                .code,
            0);
  const Ran ran = discover({"simulate", "@d.csv", "--truth-column", "y", "--strategy", "static", "--radius", "7",
                            "--components", "2", "--repeats", "3", "--json", "-"});
  ASSERT_EQ(ran.code, 0) << ran.err;
  const Value json = ran.json();
  EXPECT_EQ(json.at("strategy").as_text(), "static");
  ASSERT_EQ(json.at("classes").as_list().size(), 2U);
  ASSERT_EQ(json.at("runs").as_list().size(), 3U);
  EXPECT_GT(json.at("requests_mean").as_number(), 0.0);
  EXPECT_GE(json.at("requests_sd").as_number(), 0.0);
  for (const Value& run : json.at("runs").as_list()) {
    const Value::List& found = run.at("discoveries").as_list();
    ASSERT_EQ(found.size(), 2U);
    EXPECT_NE(found[0].at("class").as_text(), found[1].at("class").as_text());
    EXPECT_EQ(found[1].at("request").as_whole(), run.at("requests").as_whole());
    EXPECT_LE(run.at("requests").as_whole(), 50);
  }
  const Ran told = discover({"simulate", "@d.csv", "--truth-column", "y", "--radius", "7", "--components", "2",
                             "--max-requests", "1", "--report", "@r.html"});
  ASSERT_EQ(told.code, 0) << told.err;
  EXPECT_TRUE(
      told.out.starts_with("strategy temporal: 1.0 questions until all 2 classes were found, mean of 1 run\n"
                           "1 of 1 run ended before all classes were found and count with their last "
                           "question\nthe guarantee: 50 questions at most"))
      << told.out;
  EXPECT_TRUE(folder.read("r.html").starts_with("<!DOCTYPE html>"));
}

TEST_F(DiscoverSimulate, GeneratesTheSameDataFromTheSameSeed) {
  const std::vector<std::string> words = {"generate", "--rows",       "90", "--classes", "1", "--event-length",
                                          "9",        "--dimensions", "2",  "--digits",  "3", "--seed",
                                          "4"};
  const Ran one = discover(words);
  ASSERT_EQ(one.code, 0) << one.err;
  EXPECT_EQ(discover(words).out, one.out);
  EXPECT_EQ(std::count(one.out.begin(), one.out.end(), '\n'), 91);
  EXPECT_TRUE(one.out.substr(0, one.out.find('\n')).ends_with(",y")) << one.out;
}

TEST_F(DiscoverSimulate, TheSampleIsMadeByTheCommandThatItsPageTells) {
  const Ran ran = discover({"generate", "--rows", "1500", "--dimensions", "4", "--classes", "3", "--events-per-class",
                            "2", "--event-length", "25", "--digits", "3", "--seed", "2", "--out", "@e.csv"});
  EXPECT_EQ(ran.out, "1500 rows with 3 classes to be found written to e.csv\n");
  std::ifstream sample(MOTET_TEST_DIR "/../samples/discover/events.csv", std::ios::binary);
  const std::string text{std::istreambuf_iterator<char>(sample), {}};
  EXPECT_TRUE(folder.read("e.csv") == text);
}

}  // namespace
}  // namespace motet::discover_test
