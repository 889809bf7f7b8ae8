#include "motet/app/superset/evaluate.h"

#include <gtest/gtest.h>

#include "app/superset/support.h"

namespace motet::superset::evaluate_test {
namespace {

class SupersetEvaluateVerb : public CommandTest {
 protected:
  SupersetEvaluateVerb() {
    motet({"superset", "simulate", "--items", "90", "--classes", "4", "--clusters", "1", "--dimensions", "2", "--out",
           "@c.csv", "--quiet"});
  }

  Value evaluated(const Words& more) const {
    const Ran ran = motet(joined({"superset", "evaluate", "@c.csv", "--truth-column", "truth", "--cross-validate", "2",
                                  "--folds", "2", "--quiet", "--json", "@r.json"},
                                 more));
    EXPECT_EQ(ran.code, 0) << ran.err;
    return json_of("r.json");
  }
};

TEST_F(SupersetEvaluateVerb, CompareTriesEveryOtherMethod) {
  const Value json = evaluated({"--method", "knn", "--compare", "--restarts", "1"});
  const auto& methods = json.at("comparison").as_list();
  ASSERT_EQ(methods.size(), 8U);
  EXPECT_EQ(methods[0].at("method").as_text(), "knn");
  EXPECT_EQ(methods[0].at("accuracy").as_number(), json.at("accuracy").as_number());
  for (const Value& method : methods) EXPECT_GT(method.at("accuracy").as_number(), 0.3);
}

TEST_F(SupersetEvaluateVerb, StudyAddsCandidatesAroundTheTruth) {
  const Value json = evaluated({"--method", "knn", "--study"});
  const auto& settings = json.at("study").as_list();
  ASSERT_EQ(settings.size(), 7U);
  EXPECT_EQ(settings[0].at("candidates").as_text(), "none");
  EXPECT_GE(settings[0].at("accuracy").as_number(), settings.back().at("accuracy").as_number());
}

TEST_F(SupersetEvaluateVerb, AStudyNeedsEveryTruth) {
  folder.write("d.csv", "x,candidates,y\n1,a,a\n2,b,\n3,a|b,a\n4,b,b\n5,a,a\n6,b,b\n");
  expect_error({"superset", "evaluate", "@d.csv", "--truth-column", "y", "--study", "--cross-validate", "2", "--folds",
                "2", "--method", "knn", "--quiet"},
               2, "--study: every item needs a true label, around which candidates are added");
}

class SupersetCrossValidation : public SupersetCommand {};

TEST_F(SupersetCrossValidation, EvaluateWritesTheKeysOfTheContract) {
  const Ran ran = run({"evaluate", "@c.csv", "--truth-column", "truth", "--cross-validate", "3", "--method",
                       "logistic-em", "--coverage", "0.9", "--json", "@r.json", "--report", "@r.html"});
  ASSERT_EQ(ran.code, 0) << ran.err;
  const Value json = json_of("r.json");
  EXPECT_GT(json.at("accuracy").as_number(), 0.8);
  EXPECT_GT(json.at("transductive_accuracy").as_number(), 0.8);
  EXPECT_EQ(json.at("folds").as_list().size(), 3U);
  EXPECT_GE(json.at("accuracy_sd").as_number(), 0.0);
  EXPECT_GT(json.at("coverage").at("reached").as_number(), 0.8);
  EXPECT_NE(folder.read("r.html").find("How well the right candidates are found"), std::string::npos);
}

TEST_F(SupersetCrossValidation, PartsOfACrossValidationMayBeGiven) {
  std::string parts = "item,part\n";
  for (int n = 0; n < 150; ++n) parts += std::to_string(n + 1) + (n % 3 == 0 ? ",x\n" : ",y\n");
  folder.write("parts.csv", parts);
  const Words words = {"evaluate", "@c.csv",  "--truth-column", "truth",  "--method",
                       "knn",      "--parts", "@parts.csv",     "--json", "@r.json"};
  const Ran ran = run(words);
  ASSERT_EQ(ran.code, 0) << ran.err;
  const Value json = json_of("r.json");
  ASSERT_EQ(json.at("folds").as_list().size(), 2U);
  EXPECT_EQ(json.at("folds").as_list()[0].at("items").as_whole(), 50);
  const auto expect_bad = [&](const std::string& text, const std::string& message) {
    folder.write("parts.csv", text);
    expect_error({"superset", "evaluate", "@c.csv", "--truth-column", "truth", "--method", "knn", "--parts",
                  "@parts.csv", "--quiet"},
                 3, message);
  };
  expect_bad("item,fold\n1,a\n", "parts.csv:1: a column 'part' is needed; found 'item', 'fold'");
  expect_bad("part\na\nb\n", "parts.csv: 2 rows for 150 items; one each is needed, in the order of the items");
  expect_bad("item,part\n1,a\n2,\n", "parts.csv:3: the part is empty");
}

TEST_F(SupersetCrossValidation, EvaluateSaysWhereTruthComesFrom) {
  folder.write("d.csv", "x,candidates,y\n1,a,\n2,b,\n");
  folder.write("d.svm", "1 1:2\n2 1:3\n");
  const auto expect_advice = [&](const std::string& file, const Words& more, const char* advice) {
    expect_error(joined({"superset", "evaluate", "@" + file, "--quiet"}, more), 2,
                 "evaluate: " + file + " has no true labels to score with; " + advice);
  };
  expect_advice("d.svm", {}, "libsvm rows cannot hold them; use .csv or .mat");
  expect_advice("d.csv", {"--truth-column", "y"}, "column 'y' is empty all over");
  folder.write("d.csv", "x,candidates\n1,a\n2,b\n");
  expect_advice("d.csv", {}, "name them with --truth-column");
}

TEST_F(SupersetCrossValidation, MorePartsThanItemsAreRefused) {
  expect_error({"superset", "evaluate", "@c.csv", "--truth-column", "truth", "--cross-validate", "400", "--quiet"}, 2,
               "--cross-validate 400 is more than the 150 items");
}

}  // namespace
}  // namespace motet::superset::evaluate_test
