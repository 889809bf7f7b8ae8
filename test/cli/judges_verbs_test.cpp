// `motet judges` regression, two-populations and simulate.
#include <gtest/gtest.h>

#include "cli/support.h"

namespace motet::judges_verbs_test {
namespace {

class RegressionVerb : public CommandTest {
 protected:
  RegressionVerb() { folder.write("p.csv", predictions); }
  const std::string predictions =
      "item,ann,bob,cem\n1,-2.1,-1.6,-2.9\n2,-4.4,-3.9,-3.2\n3,-3.3,-2.2,-3.6\n4,-1.9,-2.5,-1.1\n5,-4.0,,-4.6\n"
      "6,-2.7,-3.1,-2.4\n";
  const std::vector<std::string> command = {"judges",       "regression",       "@p.csv", "--mean",
                                            "-3",           "--variance",       "1",      "--noise",
                                            "proportional", "--noise-variance", "0.5"};
};

TEST_F(RegressionVerb, WritesTheKeysOfTheContract) {
  std::vector<std::string> words = command;
  words.insert(words.end(), {"--json", "@r.json", "--report", "@r.html", "--combined", "@c.csv", "--model", "@m.json"});
  const Ran ran = motet(words);
  ASSERT_EQ(ran.code, 0) << ran.err;
  EXPECT_TRUE(ran.out.starts_with("proportional judges, truth with mean -3 and variance 1;")) << ran.out;
  const Value json = json_of("r.json");
  ASSERT_EQ(json.at("judges").as_list().size(), 3U);
  for (const Value& judge : json.at("judges").as_list()) {
    EXPECT_TRUE(judge.at("name").is_text());
    EXPECT_GT(judge.at("theta").as_number(), 0.0);
    EXPECT_EQ(numbers_at(judge, "theta_interval").size(), 2U);
    EXPECT_GT(judge.at("mse").as_number(), 0.0);
  }
  EXPECT_TRUE(folder.read("c.csv").starts_with("item,value,sd\n1,"));
  EXPECT_NE(folder.read("r.html").find("Numeric judges"), std::string::npos);
}

TEST_F(RegressionVerb, ValuesMayGoToStandardOutput) {
  std::vector<std::string> words = command;
  words.insert(words.end(), {"--combined", "-"});
  EXPECT_TRUE(motet(words).out.starts_with("item,value,sd\n1,"));
}

TEST_F(RegressionVerb, AsksForWhatMustBeKnown) {
  expect_error({"judges", "regression", "@p.csv"}, 2, "regression: needs --mean, --variance and --noise-variance");
  expect_error({"judges", "regression", "@p.csv", "--mean", "0", "--variance", "1", "--noise", "deterministic"}, 2,
               "regression: needs --noise-variance");
  expect_error({"judges", "regression", "@p.csv", "--noise", "channel"}, 2, "regression: needs --mean and --variance");
  EXPECT_EQ(motet({"judges", "regression", "@p.csv", "--noise", "channel", "--mean", "-3", "--variance", "1"}).code, 0);
}

TEST_F(RegressionVerb, RefusesWhatIsNoNumber) {
  for (const char* word : {"nan", "inf", "1e999", "none", " 1"}) {
    folder.write("p.csv", std::string("item,ann,bob\n1,2,3\n2,4,") + word + "\n");
    expect_error(command, 3, std::string("p.csv:3: column 'bob': '") + word + "' is not a finite number");
  }
}

class TwoPopulationsVerb : public CommandTest {
 protected:
  void write_votes() const {
    for (const auto& [name, yes] : {std::pair{"a.csv", 70}, std::pair{"b.csv", 30}}) {
      std::string votes = "item,judge,label\n";
      for (int i = 0; i < 100; ++i) votes += std::to_string(i) + ",ann," + (i < yes ? "yes\n" : "no\n");
      folder.write(name, votes);
    }
  }
};

TEST_F(TwoPopulationsVerb, RatesAJudge) {
  write_votes();
  const Ran ran = motet({"judges", "two-populations", "@a.csv", "@b.csv", "--prior-a", "yes=0.8,no=0.2", "--prior-b",
                         "yes=0.2,no=0.8", "--json", "@r.json", "--report", "@r.html"});
  ASSERT_EQ(ran.code, 0) << ran.err;
  const Value json = json_of("r.json");
  const Value& judge = json.at("judges").as_list().at(0);
  // p_a = 0.7 = 0.8 t + 0.2 (1 - s), p_b = 0.3 = 0.2 t + 0.8 (1 - s): t = s = 5/6.
  EXPECT_NEAR(judge.at("right_on_first").at("value").as_number(), 5.0 / 6.0, 1e-12);
  EXPECT_NEAR(judge.at("right_on_second").at("value").as_number(), 5.0 / 6.0, 1e-12);
  EXPECT_NE(folder.read("r.html").find("Judges on two populations"), std::string::npos);
}

TEST_F(TwoPopulationsVerb, RefusesWhatItCannotUse) {
  write_votes();
  const auto with = [](const char* a, const char* b, const char* prior_a) {
    return std::vector<std::string>{"judges",    "two-populations", a,           b,
                                    "--prior-a", prior_a,           "--prior-b", "yes=0.2,no=0.8"};
  };
  expect_error(with("@a.csv", "@b.csv", "estimate"), 2, "prior-a: must be given; it cannot be estimated here");
  expect_error(with("@a.csv", "@b.csv", "yes=0.8,maybe=0.2"), 2, "prior-a: class 'maybe' is not one of {no, yes}");
  expect_error(with("-", "-", "yes=0.8,no=0.2"), 2,
               "-: standard input can be read only once; name a file for the other input");
  folder.write("c.csv", "item,judge,label\n1,ann,yes\n2,ann,no\n3,ann,maybe\n");
  expect_error(with("@c.csv", "@b.csv", "uniform"), 3, "c.csv: 3 classes; two-populations needs exactly two");
  expect_error(with("@a.csv", "@c.csv", "uniform"), 3, "c.csv:4: label 'maybe' is not one of {no, yes}");
}

class SimulateVerb : public CommandTest {};

TEST_F(SimulateVerb, WritesVotesTruthAndAccuracies) {
  const Ran ran = motet({"judges", "simulate", "--items", "20", "--judges", "4", "--classes", "3", "--out", "@v.csv",
                         "--truth", "@t.csv", "--json", "-"});
  ASSERT_EQ(ran.code, 0) << ran.err;
  const Value json = ran.json();
  EXPECT_EQ(json.at("votes").as_whole(), 80);
  EXPECT_EQ(json.at("judges").as_list().size(), 4U);
  EXPECT_TRUE(folder.read("v.csv").starts_with("item,judge,label\nitem1,judge1,"));
  EXPECT_TRUE(folder.read("t.csv").starts_with("item,label\nitem1,"));
  EXPECT_EQ(motet({"judges", "estimate", "@v.csv", "--gold", "@t.csv"}).code, 0);
}

TEST_F(SimulateVerb, TheSeedDecides) {
  const std::vector<std::string> words = {"judges", "simulate", "--items", "20", "--seed"};
  const auto with = [&](const char* seed) {
    std::vector<std::string> all = words;
    all.emplace_back(seed);
    return motet(all).out;
  };
  EXPECT_EQ(with("5"), with("5"));
  EXPECT_NE(with("5"), with("6"));
  EXPECT_EQ(with("1"), motet({"judges", "simulate", "--items", "20"}).out);
}

TEST_F(SimulateVerb, StandardOutputTakesOneOutput) {
  expect_error({"judges", "simulate", "--json", "-"}, 2,
               "-: standard output can take only one output; name a file for the other");
}

class ProgramVerb : public CommandTest {};
class DemoVerbSlow : public CommandTest {};

TEST_F(DemoVerbSlow, WritesOnePageOfEveryTask) {
  const Ran ran = motet({"demo", "--out", "@demo.html", "--json", "@demo.json"});
  ASSERT_EQ(ran.code, 0) << ran.err;
  EXPECT_TRUE(ran.out.ends_with("The page is in demo.html: open it in a browser.\n")) << ran.out;
  EXPECT_NE(folder.read("demo.html").find("Motet: every task on sample data"), std::string::npos);
  EXPECT_EQ(json_of("demo.json").at("judges").at("judges").as_list().size(), 7U);
  EXPECT_EQ(json_of("demo.json").at("multilabel").at("sources").as_list().size(), 4U);
  EXPECT_EQ(json_of("demo.json").at("superset").at("classes").as_list().size(), 4U);
  EXPECT_EQ(json_of("demo.json").at("roles").at("roles").as_list().size(), 6U);
  EXPECT_EQ(folder.file_count(), 2U);
  expect_error({"demo", "--out", "@a.html", "--report", "@a.html"}, 2, "a.html: is named for two outputs");
}

TEST_F(ProgramVerb, ReproduceListsAndRefuses) {
  const Ran ran = motet({"reproduce", "--json", "@list.json"});
  EXPECT_EQ(ran.code, 0);
  EXPECT_TRUE(ran.out.ends_with("motet reproduce NAME runs one; --report FILE.html draws it.\n"));
  const Value list = json_of("list.json");
  for (const Value& experiment : list.as_list()) {
    EXPECT_NE(ran.out.find(experiment.at("name").as_text()), std::string::npos);
    EXPECT_FALSE(experiment.at("purpose").as_text().empty());
  }
  expect_error({"reproduce", "judges-fig99"}, 2, "no experiment 'judges-fig99'; motet reproduce lists them");
  expect_error({"reproduce", "judges-fig4", "--json", "@none/r.json"}, 5,
               "none/r.json: cannot be written: No such file or directory");
  expect_error({"reproduce", "judges-public-sets", "--data", "@none"}, 3,
               "the public data 'judges/bluebird' are not here; name their folder with --data or MOTET_DATA");
}

}  // namespace
}  // namespace motet::judges_verbs_test
