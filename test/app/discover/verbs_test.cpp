// A search from the command line, from start to status.
#include "motet/app/discover/verbs.h"

#include <gtest/gtest.h>

#include "app/discover/support.h"

namespace motet::discover::verbs_test {
namespace {

class DiscoverSearch : public DiscoverCommand {};

TEST_F(DiscoverSearch, StartSaysWhatWasChosenAndWhatToLookAt) {
  folder.write("d.csv", small_table());
  const Ran ran = discover({"start", "@p.motet", "@d.csv", "--hop", "0.1", "--threads", "1"});
  ASSERT_EQ(ran.code, 0) << ran.err;
  EXPECT_TRUE(ran.out.starts_with("p.motet: 240 rows of 2 features in 2 recordings, 24 s; strategy adaptive\n"))
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

TEST_F(DiscoverSearch, FinishesWithTheFewestQuestions) {
  start();
  done({"discover", "label", "@p.motet", "60", "owl"});
  const Ran status = discover({"status", "@p.motet", "--json", "-"});
  const std::int64_t fewest = status.json().at("certificate").at("least_questions_left").as_whole();
  EXPECT_EQ(fewest, 21);  // 54 and 55 rows of the first sequence and 120 of the second, 11 with each answer
  EXPECT_EQ(status.json().at("unseen").at("seen").as_whole(), 1);
  const Ran told = discover({"status", "@p.motet"});
  EXPECT_NE(told.out.find("With next --finish, 21 will do.\n1 class was met: "), std::string::npos) << told.out;
  const Value all = discover({"next", "@p.motet", "--finish", "--json", "-"}).json();
  EXPECT_EQ(all.at("items").as_list().size(), 21U);
  for (std::int64_t asked = 0; asked < fewest; ++asked) {
    const Value next = discover({"next", "@p.motet", "--finish", "--count", "1", "--json", "-"}).json();
    ASSERT_EQ(next.at("items").as_list().size(), 1U);
    done({"discover", "label", "@p.motet", next.at("items").as_list()[0].at("item").as_text(), "--nothing"});
  }
  EXPECT_TRUE(discover({"next", "@p.motet", "--finish", "--json", "-"}).json().at("complete").as_bool());
  expect_refused({"next", "@p.motet", "--finish", "--by", "ada"}, 2, "--finish: cannot be combined with --by");
}

TEST_F(DiscoverSearch, EveryClassIsFoundWithinTheGuarantee) {
  start();
  std::vector<std::string> found;
  const std::int64_t most = next_of().at("questions_left").as_whole();
  EXPECT_EQ(most, 40);  // two sequences of 120 rows, questions more than 5 rows apart
  std::int64_t asked = 0;
  for (Value next = next_of(); !next.at("complete").as_bool(); next = next_of()) {
    ASSERT_LE(++asked, most);
    const Value& item = next.at("items").as_list()[0];
    const std::int64_t row = item.at("row").as_whole();
    Words words = {"label", "@p.motet", item.at("item").as_text()};
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
  const Ran next = discover({"next", "@p.motet"});  // shorter events than were promised
  EXPECT_NE(next.out.find("Nothing that lasts 1.1 s or longer is left. What is asked now is for shorter events.\n"),
            std::string::npos)
      << next.out;
  EXPECT_NE(next.out.find("unlike"), std::string::npos) << next.out;
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

TEST_F(DiscoverSearch, AClassThatReplacesTheOnlyAnswerOfAnotherIsNew) {
  start();
  discover({"label", "@p.motet", "35", "forg"});
  EXPECT_EQ(first_line(discover({"label", "@p.motet", "35", "frog"})),
            "answer 2 is on the disk: item 35 (3.4 s to 3.5 s of one) is 'frog', a new class");
  EXPECT_EQ(first_line(discover({"label", "@p.motet", "36", "background"})),
            "answer 3 is on the disk: item 36 (3.5 s to 3.6 s of one) is 'background'");
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
  expect_in(ran.out, {"class       answers  first\n"
                      "background        1      2\n"
                      "frog              1      1\n"
                      "(not sure)        1",
                      "by         answers  undone\n"
                      "(no name)        1       0\n"
                      "Ada              1       0\n"
                      "Bo               1       1\n",
                      "By now nothing that lasts 12.1 s or longer is left unseen. After at most "});
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

class BadDiscover : public DiscoverCommand {};

TEST_F(BadDiscover, ArgumentsThatAreMissing) {
  expect_refused({"start", "@p.motet"}, 2, "DATA is required; see motet discover start --help");
  expect_refused({"label", "@p.motet"}, 2, "ITEM is required; see motet discover label --help");
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

TEST_F(BadDiscover, AnswersThatSayNothingOrTooMuch) {
  start();
  expect_refused({"label", "@p.motet", "7"}, 2, "label: say what it is: CLASS, --nothing or --not-sure");
  expect_refused({"label", "@p.motet", "7", "frog", "--nothing"}, 2,
                 "label: only one of CLASS, --nothing and --not-sure can hold");
  expect_refused({"label", "@p.motet", "7", ""}, 2, "label: the class has no name; say CLASS, --nothing or --not-sure");
  expect_refused({"undo", "@p.motet"}, 2, "p.motet: there is no answer to undo");
  expect_refused({"undo", "@p.motet", "--steps", "0"}, 2, "--steps 0 is outside [1, 1000000000]");
}

}  // namespace
}  // namespace motet::discover::verbs_test
