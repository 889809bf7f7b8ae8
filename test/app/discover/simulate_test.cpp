#include "motet/app/discover/simulate.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "app/discover/support.h"

namespace motet::discover::simulate_test {
namespace {

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
      told.out.starts_with("warning: strategy adaptive: 1 of 1 run ended without all: 1 hit the limit of questions; "
                           "they count with their last question, so that finding all takes more questions than the "
                           "mean says\n"))
      << told.out;
  EXPECT_NE(told.out.find(" of 2 classes were found; 1 of 1 run ended without all: 1 hit the limit of questions\n1.0 "
                          "questions until all were found or the run ended, mean of 1 run\nthe guarantee: 50 "
                          "questions at most"),
            std::string::npos)
      << told.out;
  EXPECT_TRUE(folder.read("r.html").starts_with("<!DOCTYPE html>"));
}

TEST_F(DiscoverSimulate, TakesRecordingsWithALabelTrack) {
  folder.write("a.wav", small_wav(12.0, 1));
  folder.write("b.wav", small_wav(6.0, 2));
  folder.write("a.txt", "6\t7\ttone\n");
  folder.write("both.csv", "sequence,begin,end,label\na.wav,6,7,tone\nb.wav,3,4,tone\n");
  const Words of_one = {"simulate", "@a.wav", "--truth", "@a.txt", "--radius", "5", "--components", "2", "--json", "-"};
  for (const std::string strategy : {"temporal", "literal", "static-gmm", "interleave"}) {
    const Ran ran = discover(joined(of_one, {"--strategy", strategy}));
    ASSERT_EQ(ran.code, 0) << ran.err;
    const Value json = ran.json();
    EXPECT_EQ(json.at("strategy").as_text(), strategy);
    EXPECT_EQ(json.at("classes").as_list().size(), 1U);
    EXPECT_LE(json.at("requests_mean").as_number(), 10.0) << strategy;
    EXPECT_EQ(json.at("random_requests").as_number(), 119.0 / 13.0);  // 118 rows, 12 of them touch the tone
  }
  const Ran both = discover({"simulate", "@a.wav", "@b.wav", "--truth", "@both.csv", "--weights", "gaussian",
                             "--covariance", "diagonal", "--radius", "5"});
  EXPECT_EQ(both.code, 0) << both.err;
  EXPECT_NE(both.out.find("asked at random: "), std::string::npos) << both.out;
}

TEST_F(DiscoverSimulate, TakesTheTableThatMixingWrites) {
  folder.write("wind.wav", small_wav(12.0, 1));
  folder.write("song.wav", small_wav(1.0, 3));
  done("audio mix @wind.wav @song.wav --at 3 --gain 2 --out @m.wav --labels @m.csv");
  const Ran ran =
      discover({"simulate", "@m.wav", "--truth", "@m.csv", "--radius", "5", "--components", "2", "--json", "-"});
  ASSERT_EQ(ran.code, 0) << ran.err;
  const Value json = ran.json();
  ASSERT_EQ(json.at("classes").as_list().size(), 1U);
  EXPECT_EQ(json.at("classes").as_list()[0].as_text(), "song");
  EXPECT_TRUE(json.at("warnings").as_list().empty());
  EXPECT_EQ(json.at("random_requests").as_number(), 119.0 / 13.0);  // 118 rows, 12 of them touch the song
}

TEST_F(DiscoverSimulate, GeneratesTheSameDataFromTheSameSeed) {
  const Words words = {"generate", "--rows",   "90", "--classes", "1", "--event-length", "9", "--dimensions",
                       "2",        "--digits", "3",  "--seed",    "4"};
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

TEST_F(DiscoverSimulate, SimulationsThatCannotBe) {
  const std::string needs = "simulate: needs --truth-column, or --truth with a label track; one of them";
  expect_refused({"simulate", "@d.csv"}, 2, needs);
  folder.write("t.txt", "1\t2\tx\n");
  folder.write("a.wav", small_wav(4.0, 1));
  expect_refused({"simulate", "@d.csv", "--truth-column", "y", "--truth", "@t.txt"}, 2, needs);
  expect_refused({"simulate", "@a.wav", "--truth-column", "y"}, 2,
                 "simulate: --truth-column is for one table; recordings take --truth TRACK");
  folder.write("late.txt", "10\t12\tbird\n");
  expect_refused({"simulate", "@a.wav", "--truth", "@late.txt"}, 3,
                 "late.txt: segment 'bird' from 10 to 12 begins after the end of 'a.wav', which has rows up to 3.95");
  expect_refused({"simulate", "@a.wav", "--truth", "@t.txt", "--weights", "custom"}, 2,
                 "--weights custom needs --weight-values, one for each distance");
  folder.write("d.csv", "a,y\n1,x\n2,x\n");
  expect_refused({"simulate", "@d.csv", "--truth-column", "y"}, 4,
                 "d.csv: all rows are of class 'x'; there is nothing to find");
  folder.write("e.csv", "a,y\n1,x\n2,\n");
  expect_refused({"simulate", "@e.csv", "--truth-column", "y"}, 3,
                 "e.csv: item 2 has no class in column 'y'; a simulation needs all");
  expect_refused({"generate", "--rows", "30", "--classes", "2", "--event-length", "20"}, 2,
                 "2 events of 20 rows do not fit into --rows 30");
  expect_refused({"generate", "--truth-column", "x1"}, 2, "--truth-column: 'x1' is empty or the name of a feature");
}

}  // namespace
}  // namespace motet::discover::simulate_test
