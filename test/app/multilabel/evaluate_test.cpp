#include "motet/app/multilabel/evaluate.h"

#include <gtest/gtest.h>

#include "app/multilabel/support.h"

namespace motet::multilabel::evaluate_test {
namespace {

class MultilabelEvaluateVerb : public MultilabelCommand {};

TEST_F(MultilabelEvaluateVerb, RejectionIsThatOfPredict) {
  ASSERT_EQ(train().code, 0);
  const Words reject = "--reject-below 0.95";
  ASSERT_EQ(run("predict @test.csv --model @m.json --out @p.csv", reject).code, 0);
  const std::vector<std::string> sets = {"a", "b", "c", "a|b", "a|c", "b|c"};
  double rejected = 0.0;
  double wrong = 0.0;
  const std::vector<std::string> lines = lines_of("p.csv");
  for (std::size_t n = 1; n < lines.size(); ++n) {
    if (lines[n].ends_with(",1")) {
      rejected += 1.0;
    } else if (!lines[n].starts_with("i" + std::to_string(n) + "," + sets[(n - 1) % 6] + ",")) {
      wrong += 1.0;
    }
  }
  ASSERT_GT(rejected, 0.0);
  ASSERT_LT(rejected, 120.0);
  const Ran ran = run("evaluate @test.csv --model @m.json --json @r.json", reject);
  ASSERT_EQ(ran.code, 0) << ran.err;
  const Value json = json_of("r.json");
  EXPECT_EQ(json.at("reject_below").as_number(), 0.95);
  EXPECT_EQ(json.at("rejected").as_number(), rejected);
  EXPECT_DOUBLE_EQ(json.at("rejected_share").as_number(), rejected / 120.0);
  EXPECT_DOUBLE_EQ(json.at("kept_error_rate").as_number(), wrong / (120.0 - rejected));
  expect_in(ran.out, {"--reject-below 0.95 leaves "});
  ASSERT_EQ(run("evaluate @test.csv --model @m.json --json @all.json").code, 0);
  EXPECT_EQ(json_of("all.json").at("error_rate").as_number(), json.at("error_rate").as_number());
  EXPECT_EQ(json_of("all.json").at("rejected").as_number(), 0.0);
}

TEST_F(MultilabelEvaluateVerb, RejectionByUncalibratedProbabilitiesIsWarnedOf) {
  ASSERT_EQ(train("--no-calibration").code, 0);
  const std::string warning =
      "warning: m.json: the model was trained without calibration; its probabilities are likely too high\n";
  const Ran ran = run("evaluate @test.csv --model @m.json --reject-below 0.5");
  expect_in(ran.out, {warning});
  EXPECT_EQ(run("evaluate @test.csv --model @m.json").out.find(warning), std::string::npos);
  EXPECT_EQ(
      run("evaluate @train.csv --label-count 3 --cross-validate 2 --no-calibration --reject-below 0.5 --json @r.json")
          .code,
      0);
  EXPECT_EQ(json_of("r.json").at("reject_below").as_number(), 0.5);
}

// Labels that have nothing to do with the features: nearly every set is taken for every other.
TEST_F(MultilabelEvaluateVerb, AllConfusedSetsAreInTheJson) {
  Rng rng(Seed{3});
  std::string text = "x,a,b,c,d\n";
  for (int n = 0; n < 300; ++n) {
    const std::uint64_t set = 1 + rng.below(15);
    text += to_text(rng.normal());
    for (std::uint64_t k = 0; k < 4; ++k) text += (set >> k & 1) != 0 ? ",1" : ",0";
    text += "\n";
  }
  folder.write("d.csv", text);
  ASSERT_EQ(run("train @d.csv --label-count 4 --model @m.json --no-calibration").code, 0);
  const Ran ran = run("evaluate @d.csv --model @m.json --decision ml --json @r.json");
  ASSERT_EQ(ran.code, 0) << ran.err;
  const Value json = json_of("r.json");
  EXPECT_GT(json.at("confused").as_list().size(), 30U);
  double items = 0.0;
  for (const Value& pair : json.at("confused").as_list()) items += pair.at("items").as_number();
  EXPECT_DOUBLE_EQ(items / 300.0, json.at("error_rate").as_number());
}

TEST_F(MultilabelEvaluateVerb, CrossValidationTellsTheErrorOfEveryFold) {
  const Ran ran = run({"evaluate", "@train.csv", "--label-count", "3", "--cross-validate", "4", "--no-calibration",
                       "--json", "@r.json"});
  ASSERT_EQ(ran.code, 0) << ran.err;
  EXPECT_NE(ran.out.find("4-fold cross-validation"), std::string::npos) << ran.out;
  EXPECT_EQ(json_of("r.json").at("items").as_whole(), 240);
  EXPECT_LT(json_of("r.json").at("error_rate").as_number(), 0.1);
}

TEST_F(MultilabelEvaluateVerb, LearningCurvesOfTrainings) {
  const Ran ran = run({"evaluate", "@test.csv", "--label-count", "3", "--train", "@train.csv", "--compare",
                       "new,deconvolution", "--learning-curve", "--repeats", "1", "--json", "@r.json"});
  ASSERT_EQ(ran.code, 0) << ran.err;
  const Value json = json_of("r.json");
  const Value::List& points = json.at("learning_curve").as_list();
  ASSERT_GE(points.size(), 4U);
  EXPECT_EQ(points.back().at("method").as_text(), "deconvolution");
  // All items, as in the comparison.
  EXPECT_EQ(points.back().at("error_rate").as_number(),
            json.at("comparison").as_list().at(1).at("error_rate").as_number());
}

TEST_F(MultilabelEvaluateVerb, OptionsThatDoNotFit) {
  expect_refused({"evaluate", "@test.csv"}, 2,
                 "evaluate: needs --model, --cross-validate, or trainings to --compare without --method");
  expect_refused({"evaluate", "@test.csv", "--model", "@m.json", "--cross-validate", "3"}, 2,
                 "evaluate: --model and --cross-validate exclude each other");
  expect_refused({"evaluate", "@test.csv", "--cross-validate", "1"}, 2,
                 "--cross-validate 1 is too few; 2 folds or more are needed");
  expect_refused({"evaluate", "@test.csv", "--label-count", "3", "--cross-validate", "121"}, 2,
                 "--cross-validate 121 is more than the 120 items of test.csv");
  expect_refused({"evaluate", "@test.csv", "--model", "@m.json", "--compare", "all"}, 2,
                 "--compare: needs --train, the items the model was trained on");
  expect_refused({"evaluate", "@test.csv", "--model", "@m.json", "--learning-curve"}, 2,
                 "--learning-curve: needs --train, the items the model was trained on");
  expect_refused({"evaluate", "@test.csv", "--cross-validate", "3", "--train", "@train.csv"}, 2,
                 "--train: goes with --model; a cross-validation trains on its own folds");
  expect_refused({"evaluate", "@test.csv", "--model", "@m.json", "--method", "new"}, 2,
                 "--method: goes with --cross-validate; the model of --model is trained already");
  expect_refused({"evaluate", "@test.csv", "--cross-validate", "3", "--compare", "svn"}, 2,
                 "--compare: 'svn' is not one of {all, new, cross, probabilistic, ignore, deconvolution, log-linear, "
                 "logistic, svm, chain, powerset, lp-lda, lp-logistic, "
                 "lp-svm, ovr-lda, ovr-logistic, ovr-svm, ml-knn}; a training can have its decision behind it, as in "
                 "cross/ml");
}

}  // namespace
}  // namespace motet::multilabel::evaluate_test
