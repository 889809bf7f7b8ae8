// `motet judges` combine, regression, two-populations and simulate.
#include "motet/app/judges/verbs.h"

#include <gtest/gtest.h>

#include "cli/support.h"

namespace motet::judges::verbs_test {
namespace {

class CombineVerb : public CommandTest {};

TEST_F(CombineVerb, GivesTheLabelsOfTheFit) {
  ASSERT_EQ(motet({"judges", "estimate", sample(), "--model", "@m.json", "--combined", "@a.csv"}).code, 0);
  const Ran ran = done({"judges", "combine", sample(), "--model", "@m.json", "--combined", "@b.csv", "--json",
                        "@r.json", "--report", "@r.html"});
  EXPECT_EQ(folder.read("a.csv"), folder.read("b.csv"));
  EXPECT_TRUE(ran.out.starts_with("300 items labelled, ")) << ran.out;
  const Value json = json_of("r.json");
  EXPECT_EQ(json.at("items").as_whole(), 300);
  std::int64_t total = 0;
  for (const auto& [label, count] : json.at("labels").as_object()) total += count.as_whole();
  EXPECT_EQ(total, 300);
  EXPECT_GE(json.at("disputed_share").as_number(), 0.0);
  EXPECT_LT(json.at("disputed_share").as_number(), 1.0);
  EXPECT_NE(folder.read("r.html").find("Combined labels"), std::string::npos);
  EXPECT_EQ(motet({"judges", "combine", sample(), "--model", "@m.json", "--combined", "-"}).out, folder.read("b.csv"));
}

TEST_F(CombineVerb, NamesJudgesTheModelDoesNotKnow) {
  folder.write("v.csv", small_votes);
  folder.write("more.csv", small_votes + "4,dan,no\n");
  ASSERT_EQ(motet({"judges", "estimate", "@v.csv", "--model", "@m.json"}).code, 0);
  const Ran ran = motet({"judges", "combine", "@more.csv", "--model", "@m.json", "--combined", "@l.csv"});
  EXPECT_EQ(ran.code, 0);
  EXPECT_TRUE(ran.out.ends_with("\nwarning: votes of judges the model does not know were left out: dan\n")) << ran.out;
}

TEST_F(CombineVerb, ValuesOfAModelOfNumbersHaveNoPage) {
  folder.write("p.csv", "item,ann,bob\n1,0.5,0.25\n2,-1,-2\n3,2,1.5\n");
  ASSERT_EQ(motet({"judges", "regression", "@p.csv", "--mean", "0", "--variance", "1", "--noise-variance", "0.5",
                   "--model", "@m.json", "--combined", "@a.csv"})
                .code,
            0);
  const Words words = {"judges", "combine", "@p.csv", "--model", "@m.json", "--combined", "@b.csv"};
  const Ran ran = done(words);
  EXPECT_EQ(ran.out, "3 items valued\n");
  EXPECT_EQ(folder.read("b.csv"), folder.read("a.csv"));
  expect_error(joined(words, {"--report", "@r.html"}), 2, "--report: there is no page for numbers; leave out --report");
}

class RegressionVerb : public CommandTest {
 protected:
  RegressionVerb() { folder.write("p.csv", predictions); }
  const std::string predictions =
      "item,ann,bob,cem\n1,-2.1,-1.6,-2.9\n2,-4.4,-3.9,-3.2\n3,-3.3,-2.2,-3.6\n4,-1.9,-2.5,-1.1\n5,-4.0,,-4.6\n"
      "6,-2.7,-3.1,-2.4\n";
  const Words command = "judges regression @p.csv --mean -3 --variance 1 --noise proportional --noise-variance 0.5";
};

TEST_F(RegressionVerb, WritesTheKeysOfTheContract) {
  const Ran ran =
      done(joined(command, {"--json", "@r.json", "--report", "@r.html", "--combined", "@c.csv", "--model", "@m.json"}));
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
  expect_in(folder.read("r.html"), {"Numeric judges"});
}

TEST_F(RegressionVerb, ValuesMayGoToStandardOutput) {
  EXPECT_TRUE(motet(joined(command, {"--combined", "-"})).out.starts_with("item,value,sd\n1,"));
}

TEST_F(RegressionVerb, AsksForWhatMustBeKnown) {
  expect_errors(2, {{"judges regression @p.csv", "regression: needs --mean, --variance and --noise-variance"},
                    {"judges regression @p.csv --mean 0 --variance 1 --noise deterministic",
                     "regression: needs --noise-variance"},
                    {"judges regression @p.csv --noise channel", "regression: needs --mean and --variance"}});
  EXPECT_EQ(motet("judges regression @p.csv --noise channel --mean -3 --variance 1").code, 0);
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
  const Ran ran = done(
      "judges two-populations @a.csv @b.csv --prior-a yes=0.8,no=0.2 --prior-b yes=0.2,no=0.8 --json @r.json --report "
      "@r.html");
  const Value json = json_of("r.json");
  const Value& judge = json.at("judges").as_list().at(0);
  // p_a = 0.7 = 0.8 t + 0.2 (1 - s), p_b = 0.3 = 0.2 t + 0.8 (1 - s): t = s = 5/6.
  EXPECT_NEAR(judge.at("right_on_first").at("value").as_number(), 5.0 / 6.0, 1e-12);
  EXPECT_NEAR(judge.at("right_on_second").at("value").as_number(), 5.0 / 6.0, 1e-12);
  expect_in(folder.read("r.html"), {"Judges on two populations"});
}

TEST_F(TwoPopulationsVerb, RefusesWhatItCannotUse) {
  write_votes();
  const auto with = [](const char* a, const char* b, const char* prior_a) {
    return Words{"judges", "two-populations", a, b, "--prior-a", prior_a, "--prior-b", "yes=0.2,no=0.8"};
  };
  expect_errors(2, {{with("@a.csv", "@b.csv", "estimate"), "--prior-a: must be given; it cannot be estimated here"},
                    {with("@a.csv", "@b.csv", "yes=0.8,maybe=0.2"), "--prior-a: class 'maybe' is not one of {no, yes}"},
                    {with("-", "-", "yes=0.8,no=0.2"),
                     "-: standard input can be read only once; name a file for the other input"}});
  folder.write("c.csv", "item,judge,label\n1,ann,yes\n2,ann,no\n3,ann,maybe\n");
  expect_errors(3, {{with("@c.csv", "@b.csv", "uniform"), "c.csv: 3 classes; two-populations needs exactly two"},
                    {with("@a.csv", "@c.csv", "uniform"), "c.csv:4: label 'maybe' is not one of {no, yes}"}});
}

class SimulateVerb : public CommandTest {};

TEST_F(SimulateVerb, WritesVotesTruthAndAccuracies) {
  const Ran ran = done("judges simulate --items 20 --judges 4 --classes 3 --out @v.csv --truth @t.csv --json -");
  const Value json = ran.json();
  EXPECT_EQ(json.at("votes").as_whole(), 80);
  EXPECT_EQ(json.at("judges").as_list().size(), 4U);
  EXPECT_TRUE(folder.read("v.csv").starts_with("item,judge,label\nitem1,judge1,"));
  EXPECT_TRUE(folder.read("t.csv").starts_with("item,label\nitem1,"));
  EXPECT_EQ(motet("judges estimate @v.csv --gold @t.csv").code, 0);
}

TEST_F(SimulateVerb, TheSeedDecides) {
  const auto with = [&](const char* seed) {
    return motet({"judges", "simulate", "--items", "20", "--seed", seed}).out;
  };
  EXPECT_EQ(with("5"), with("5"));
  EXPECT_NE(with("5"), with("6"));
  EXPECT_EQ(with("1"), motet("judges simulate --items 20").out);
}

TEST_F(SimulateVerb, StandardOutputTakesOneOutput) {
  expect_error("judges simulate --json -", 2, "-: standard output can take only one output; name a file for the other");
}

}  // namespace
}  // namespace motet::judges::verbs_test
