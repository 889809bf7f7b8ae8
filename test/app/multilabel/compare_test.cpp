// Trainings side by side, and decisions by labels.
#include "motet/app/multilabel/compare.h"

#include <gtest/gtest.h>

#include "app/multilabel/support.h"

namespace motet::multilabel::compare_test {
namespace {

TEST(RivalsOf, WordsAreTrainingsOrUsualClassifiers) {
  FoldOptions base;
  base.train.pca = 3;
  const std::vector<Rival> rivals = rivals_of("lp-lda,new,cross/ml", base);
  ASSERT_EQ(rivals.size(), 3U);
  EXPECT_EQ(rivals[0].name, "label powerset, linear discriminant");
  EXPECT_FALSE(rivals[0].training.has_value());
  EXPECT_EQ(rivals[1].name, "new");
  EXPECT_EQ(rivals[1].training->train.method, Training::fresh);
  EXPECT_EQ(rivals[1].training->train.pca, 3U);
  EXPECT_FALSE(rivals[1].training->calibrate);
  EXPECT_EQ(rivals[1].training->decide.decision, Decision::trained);
  EXPECT_EQ(rivals[2].name, "cross, ml");
  EXPECT_EQ(rivals[2].word, "cross/ml");
  EXPECT_EQ(rivals[2].training->decide.decision, Decision::ml);
  EXPECT_TRUE(names_training(rivals));
  EXPECT_EQ(rivals_of("all", base).size(), 7U);
  EXPECT_FALSE(names_training(rivals_of("all", base)));
  EXPECT_TRUE(rivals_of("", base).empty());
}

TEST(RivalsOf, ADecisionByLabelsHoldsForTrainingsThatHaveIt) {
  FoldOptions base;
  base.decide.decision = Decision::one_against_all;
  const std::vector<Rival> rivals = rivals_of("new,probabilistic,ignore/hamming", base);
  EXPECT_EQ(rivals[0].training->decide.decision, Decision::map);
  EXPECT_EQ(rivals[1].training->decide.decision, Decision::one_against_all);
  EXPECT_EQ(rivals[2].training->decide.decision, Decision::hamming);
}

// Items of which the first method has the first two right, and the other the second alone.
TEST(ScoreOf, TheDifferenceIsPaired) {
  LabelledItems items = items_of("x,a,b,c\n1,1,0,0\n2,0,1,0\n3,0,0,1\n4,1,1,0\n");
  BitMatrix first = items.sets;
  first.set(2, 0);
  first.set(3, 2);
  Attempt other{"other", {}, ""};
  other.decided.sets = first;
  other.decided.sets.set(0, 1);
  EXPECT_EQ(right_of(items.sets, first), (std::vector<std::uint8_t>{1, 1, 0, 0}));
  const ClassifierScore score = score_of(other, items, first);
  EXPECT_EQ(score.quality.error_rate, 0.75);
  // Differences 1, 0, 0, 0: mean 1/4, standard deviation 1/2, over the root of 4.
  EXPECT_DOUBLE_EQ(score.error_difference, 0.25);
  EXPECT_DOUBLE_EQ(score.difference_error, 0.25);
  other.failure = "too few";
  EXPECT_EQ(score_of(other, items, first).failure, "too few");
  EXPECT_EQ(score_of(other, items, first).quality.items, 0U);
}

class MultilabelCompare : public MultilabelCommand {
 protected:
  const Value& row(const Value& json, const std::string& method) const {
    for (const Value& entry : json.at("comparison").as_list()) {
      if (entry.at("method").as_text() == method) return entry;
    }
    ADD_FAILURE() << "no row " << method;
    return json;
  }
};

const std::string five = "new,cross,probabilistic,ignore,deconvolution";

TEST_F(MultilabelCompare, FiveTrainingsOnTheSameFolds) {
  const Ran ran = run({"evaluate", "@train.csv", "--label-count", "3", "--compare", five, "--cross-validate", "4",
                       "--json", "@r.json", "--report", "@r.html"});
  ASSERT_EQ(ran.code, 0) << ran.err;
  const Value json = json_of("r.json");
  const Value::List& rows = json.at("comparison").as_list();
  ASSERT_EQ(rows.size(), 5U);
  EXPECT_EQ(rows[0].at("method").as_text(), "new");
  EXPECT_EQ(rows[0].at("error_rate").as_number(), json.at("error_rate").as_number());
  EXPECT_EQ(json.at("folds").as_list().size(), 4U);
  // A training by itself, on the same folds.
  for (const std::string method : {"cross", "deconvolution"}) {
    ASSERT_EQ(run({"evaluate", "@train.csv", "--label-count", "3", "--cross-validate", "4", "--method", method,
                   "--no-calibration", "--json", "@one.json"})
                  .code,
              0);
    const Value one = json_of("one.json");
    for (const char* key : {"error_rate", "balanced_error_rate", "hamming_loss", "macro_recall", "micro_f1", "f1",
                            "balanced_error_rate_standard_error", "macro_recall_standard_error"}) {
      EXPECT_EQ(row(json, method).at(key).as_number(), one.at(key).as_number()) << method << " " << key;
    }
    EXPECT_DOUBLE_EQ(row(json, method).at("error_difference").as_number(),
                     one.at("error_rate").as_number() - json.at("error_rate").as_number());
  }
  // Without its items of several labels a training decides for one label each.
  EXPECT_GT(row(json, "ignore").at("macro_precision").as_number(), row(json, "ignore").at("macro_recall").as_number());
  expect_in(ran.out, {"more than new", "means over labels"});
  expect_in(folder.read("r.html"), {"Trainings side by side"});
}

TEST_F(MultilabelCompare, TenFoldsUnlessSaidOtherwise) {
  const Ran ran = run("evaluate @test.csv --label-count 3 --compare new,cross");
  ASSERT_EQ(ran.code, 0) << ran.err;
  EXPECT_TRUE(ran.out.starts_with("120 items, 3 labels in 6 different sets; 10-fold cross-validation\n")) << ran.out;
}

TEST_F(MultilabelCompare, ATrainingFileInsteadOfFolds) {
  const Ran ran =
      run("evaluate @test.csv --label-count 3 --compare cross,deconvolution,lp-lda --train @train.csv --json @r.json");
  ASSERT_EQ(ran.code, 0) << ran.err;
  const Value json = json_of("r.json");
  EXPECT_EQ(json.at("comparison").as_list().size(), 3U);
  EXPECT_EQ(json.at("items").as_whole(), 120);
  ASSERT_EQ(train("--no-calibration").code, 0);
  ASSERT_EQ(run("evaluate @test.csv --model @m.json --json @one.json").code, 0);
  EXPECT_EQ(row(json, "deconvolution").at("error_rate").as_number(), json_of("one.json").at("error_rate").as_number());
}

TEST_F(MultilabelCompare, ATrainingThatFailsSaysWhyAndTheOthersGoOn) {
  // Without an item of {a} alone, `ignore` knows nothing of a.
  std::string kept = "item,x,y,a,b,c\n";
  for (const std::string& line : lines_of("train.csv")) {
    if (!line.ends_with(",1,0,0") && !line.starts_with("item")) kept += line + "\n";
  }
  folder.write("no_a.csv", kept);
  const Ran ran =
      run("evaluate @no_a.csv --label-count 3 --compare ignore,new,deconvolution --cross-validate 2 --json @r.json");
  ASSERT_EQ(ran.code, 0) << ran.err;
  const std::string reason =
      "fold 1 of 2: --method ignore learns only from items with one label, of which there are none for label 'a'; "
      "--method "
      "deconvolution does not need them";
  expect_in(ran.out, {"ignore was not trained: " + reason + "\n", "more than new"});  // the first that could be trained
  const Value json = json_of("r.json");
  EXPECT_EQ(row(json, "ignore").at("failure").as_text(), reason);
  EXPECT_EQ(row(json, "ignore").find("error_rate"), nullptr);
  EXPECT_EQ(row(json, "new").at("error_rate").as_number(), json.at("error_rate").as_number());
  expect_refused({"evaluate", "@no_a.csv", "--label-count", "3", "--compare", "ignore", "--cross-validate", "2"}, 4,
                 "no_a.csv: compare: no training suits these items; ignore: " + reason);
}

TEST_F(MultilabelCompare, TrainingsBesideAModel) {
  ASSERT_EQ(train("--no-calibration").code, 0);
  const Ran ran =
      run("evaluate @test.csv --model @m.json --train @train.csv --compare deconvolution,cross,lp-lda --json @r.json");
  ASSERT_EQ(ran.code, 0) << ran.err;
  const Value json = json_of("r.json");
  ASSERT_EQ(json.at("comparison").as_list().size(), 4U);
  EXPECT_EQ(row(json, "this model").at("error_rate").as_number(),
            row(json, "deconvolution").at("error_rate").as_number());
  const Ran folds =
      run("evaluate @test.csv --label-count 3 --cross-validate 2 --method new --no-calibration --compare cross --json "
          "@f.json");
  ASSERT_EQ(folds.code, 0) << folds.err;
  EXPECT_EQ(json_of("f.json").at("comparison").as_list()[0].at("method").as_text(), "this model");
}

TEST_F(MultilabelCompare, DecisionsByLabelsBesideThoseBySets) {
  const Ran ran =
      run("evaluate @test.csv --label-count 3 --train @train.csv --compare cross,cross/one-against-all --json @r.json");
  ASSERT_EQ(ran.code, 0) << ran.err;
  ASSERT_EQ(train("--no-calibration --method cross").code, 0);
  const Ran one = run("evaluate @test.csv --model @m.json --decision one-against-all --json @one.json");
  ASSERT_EQ(one.code, 0) << one.err;
  const Value json = json_of("r.json");
  EXPECT_EQ(row(json, "cross, one-against-all").at("macro_recall").as_number(),
            json_of("one.json").at("macro_recall").as_number());
  EXPECT_NE(row(json, "cross").at("macro_recall").as_number(), json_of("one.json").at("macro_recall").as_number());
  // --decision holds for the trainings that have it.
  const Ran both =
      run("evaluate @test.csv --label-count 3 --train @train.csv --compare new,cross --decision one-against-all --json "
          "@b.json");
  ASSERT_EQ(both.code, 0) << both.err;
  EXPECT_EQ(row(json_of("b.json"), "cross").at("macro_recall").as_number(),
            json_of("one.json").at("macro_recall").as_number());
}

TEST_F(MultilabelCompare, WhatDoesNotGoTogether) {
  const std::vector<std::string> start{"evaluate", "@test.csv", "--label-count", "3"};
  const auto with = [&](const Words& more) { return joined(start, more); };
  expect_refused(
      with({"--compare", "new,crss"}), 2,
      "--compare: 'crss' is not one of {all, new, cross, probabilistic, ignore, deconvolution, log-linear, logistic, "
      "svm, chain, powerset, lp-lda, "
      "lp-logistic, lp-svm, ovr-lda, ovr-logistic, ovr-svm, ml-knn}; a training can have its decision behind "
      "it, as in cross/ml");
  expect_refused(with({"--compare", "new,cross,new"}), 2, "--compare: 'new' is named twice");
  expect_refused(with({"--compare", "cross/oaa"}), 2,
                 "--compare: 'cross/oaa': decision 'oaa' is not one of {map, ml, hamming, one-against-all, trained}");
  expect_refused(with({"--compare", "new/one-against-all"}), 2,
                 "--compare: 'new/one-against-all': one-against-all goes with cross and probabilistic training");
  expect_refused(with({"--compare", "lp-lda"}), 2,
                 "evaluate: needs --model, --cross-validate, or trainings to --compare without --method");
  expect_refused(with({"--compare", "new", "--method", "cross"}), 2,
                 "evaluate: needs --model, --cross-validate, or trainings to --compare without --method");
  expect_refused(with({"--model", "@m.json", "--compare", "new"}), 2,
                 "--compare: needs --train, the items the model was trained on");
  expect_refused(with({"--cross-validate", "2", "--decision", "one-against-all"}), 2,
                 "--decision one-against-all needs --method cross or probabilistic");
  expect_refused(with({"--compare", "new,cross", "--cross-validate", "2", "--train", "@train.csv"}), 2,
                 "--train: goes with --model; a cross-validation trains on its own folds");
}

TEST_F(MultilabelCompare, ComparedWithOtherMethodsOnTheSameItems) {
  ASSERT_EQ(train({"--no-calibration"}).code, 0);
  const Ran ran = run({"evaluate", "@test.csv", "--model", "@m.json", "--train", "@train.csv", "--compare",
                       "lp-lda,ml-knn", "--learning-curve", "--repeats", "2", "--json", "-"});
  ASSERT_EQ(ran.code, 0) << ran.err;
  const Value json = ran.json();
  EXPECT_EQ(json.at("comparison").as_list().size(), 3U);
  EXPECT_GE(json.at("learning_curve").as_list().size(), 9U);
  const Ran folds = run({"evaluate", "@test.csv", "--label-count", "3", "--cross-validate", "3", "--no-calibration",
                         "--compare", "lp-lda", "--json", "-"});
  ASSERT_EQ(folds.code, 0) << folds.err;
  EXPECT_EQ(folds.json().at("comparison").as_list().size(), 2U);
}

}  // namespace
}  // namespace motet::multilabel::compare_test
