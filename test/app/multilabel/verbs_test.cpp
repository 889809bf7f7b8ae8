// `motet multilabel` from data to a model and on to its results; what train and analyze tell.
#include "motet/app/multilabel/verbs.h"

#include <gtest/gtest.h>

#include "app/multilabel/support.h"

namespace motet::multilabel::verbs_test {
namespace {

class MultilabelVerb : public MultilabelCommand {
 protected:
  // Two labels, `features` columns of noise, `items` rows.
  void write_noise(std::size_t items, std::size_t features) const {
    Rng rng(Seed{9});
    std::string text = "a,b";
    for (std::size_t d = 0; d < features; ++d) text += ",x" + std::to_string(d);
    for (std::size_t n = 0; n < items; ++n) {
      text += n % 3 == 0 ? "\n1,0" : n % 3 == 1 ? "\n0,1" : "\n1,1";
      for (std::size_t d = 0; d < features; ++d) text += "," + to_text(rng.normal());
    }
    folder.write("d.csv", text + "\n");
  }
  std::string trained(const Words& more) const {
    const Ran ran = run({"train", "@d.csv", "--label-columns", "a,b", "--model", "@m.json", "--no-calibration"}, more);
    EXPECT_EQ(ran.code, 0) << ran.err;
    return ran.out;
  }
};

TEST_F(MultilabelVerb, TrainPredictEvaluate) {
  const Ran trained = train();
  ASSERT_EQ(trained.code, 0) << trained.err;
  EXPECT_EQ(trained.err, "");
  expect_in(trained.out, {"240 items, 2 features, 3 labels in 6 different sets"});
  const Ran predicted = run({"predict", "@test.csv", "--model", "@m.json", "--out", "@p.csv"});
  ASSERT_EQ(predicted.code, 0) << predicted.err;
  const std::vector<std::string> lines = lines_of("p.csv");
  ASSERT_EQ(lines.size(), 121U);
  EXPECT_EQ(lines[0], "item,labels,probability,log_likelihood,outlier,rejected");
  EXPECT_EQ(lines[1].substr(0, 5), "i1,a,");
  EXPECT_EQ(lines[4].substr(0, 7), "i4,a|b,");
  const Ran evaluated = run({"evaluate", "@test.csv", "--model", "@m.json", "--json", "-"});
  ASSERT_EQ(evaluated.code, 0) << evaluated.err;
  const Value json = evaluated.json();
  for (const char* key : {"error_rate", "balanced_error_rate", "hamming_loss", "precision", "recall", "f1", "micro_f1",
                          "macro_f1", "per_label", "items", "label_sets"}) {
    EXPECT_NE(json.find(key), nullptr) << key;
  }
  EXPECT_EQ(json.at("items").as_whole(), 120);
  EXPECT_EQ(json.at("label_sets").as_whole(), 6);
  // Sources of distance 5.6 and more: hardly an item is mistaken.
  EXPECT_LT(json.at("error_rate").as_number(), 0.1);
  std::size_t wrong = 0;
  const std::vector<std::string> sets{"a", "b", "c", "a|b", "a|c", "b|c"};
  for (std::size_t n = 0; n < 120; ++n) {
    wrong += lines[n + 1].starts_with("i" + std::to_string(n + 1) + "," + sets[n % 6] + ",") ? 0 : 1;
  }
  EXPECT_DOUBLE_EQ(json.at("error_rate").as_number(), static_cast<double>(wrong) / 120.0);
}

TEST_F(MultilabelVerb, SameBytesOnOneThreadAndOnTwo) {
  for (const char* threads : {"1", "2"}) {
    const std::string name = threads;
    ASSERT_EQ(
        run({"train", "@train.csv", "--label-count", "3", "--model", "@m" + name + ".json", "--threads", name}).code,
        0);
    ASSERT_EQ(run({"predict", "@test.csv", "--model", "@m" + name + ".json", "--out", "@p" + name + ".csv", "--threads",
                   name, "--marginals", "@q" + name + ".csv", "--candidates", "all", "--best", "3"})
                  .code,
              0);
    ASSERT_EQ(run({"separate", "@test.csv", "--model", "@m" + name + ".json", "--out", "@s" + name + ".csv", "--spread",
                   "--threads", name})
                  .code,
              0);
  }
  EXPECT_EQ(folder.read("m1.json"), folder.read("m2.json"));
  EXPECT_EQ(folder.read("p1.csv"), folder.read("p2.csv"));
  EXPECT_EQ(folder.read("q1.csv"), folder.read("q2.csv"));
  EXPECT_EQ(folder.read("s1.csv"), folder.read("s2.csv"));
  EXPECT_EQ(lines_of("p1.csv")[0],
            "item,labels,probability,log_likelihood,outlier,rejected,labels_2,posterior_2,labels_3,posterior_3");
  EXPECT_EQ(lines_of("q1.csv")[0], "item,a,b,c");
}

TEST_F(MultilabelVerb, AnalyzeTellsWhatTheDataCanTell) {
  ASSERT_EQ(train({"--no-calibration"}).code, 0);
  const Ran ran = run({"analyze", "@train.csv", "--model", "@m.json", "--json", "@r.json", "--report", "@r.html"});
  ASSERT_EQ(ran.code, 0) << ran.err;
  EXPECT_FALSE(ran.out.empty());
  EXPECT_FALSE(folder.read("r.html").empty());
  EXPECT_TRUE(json_of("r.json").is_object());
}

TEST_F(MultilabelVerb, AutoChoosesAmongWhatIsLeftToIt) {
  const Ran ran = train({"--method", "auto", "--combine", "mean", "--folds", "3", "--json", "@r.json"});
  ASSERT_EQ(ran.code, 0) << ran.err;
  const Value json = json_of("r.json");
  EXPECT_NE(json.at("method").as_text().find("gaussian mean"), std::string::npos);
  EXPECT_GT(json.at("trials").as_list().size(), 1U);
  for (const Value& trial : json.at("trials").as_list()) {
    EXPECT_NE(trial.at("way").as_text().find("gaussian mean"), std::string::npos);
  }
  const Ran folds = run({"evaluate", "@test.csv", "--label-count", "3", "--cross-validate", "2", "--no-calibration",
                         "--method", "auto", "--combine", "mean", "--folds", "2"});
  ASSERT_EQ(folds.code, 0) << folds.err;
  expect_in(folds.out, {"gaussian mean"});
  EXPECT_EQ(folds.out.find("gaussian sum"), std::string::npos) << folds.out;
}

TEST_F(MultilabelVerb, MoreFeaturesThanItemsAreWarnedOf) {
  write_noise(12, 40);
  const auto warned = [&](const Words& more, const std::string& warning) {
    const std::string out = trained(more);
    return out.find("warning: " + warning + "\n") != std::string::npos;
  };
  EXPECT_TRUE(warned({},
                     "40 features are more than the 12 items: variances lean on shrinkage, not on the items alone; "
                     "--pca N takes fewer"));
  EXPECT_TRUE(
      warned({"--covariance", "full", "--prior-strength", "2"},
             "40 features are more than the 12 items: covariances lean on shrinkage and prior, not on the items "
             "alone; --pca N takes fewer"));
  EXPECT_EQ(trained({"--shrinkage", "0"}).find("features are more"), std::string::npos);
  EXPECT_EQ(trained({"--pca", "3"}).find("features are more"), std::string::npos);
  write_noise(42, 40);
  EXPECT_EQ(trained({}).find("features are more"), std::string::npos);
}

TEST_F(MultilabelVerb, TheLogLikelihoodAndTheObjectiveAreToldApart) {
  ASSERT_EQ(train({"--no-calibration", "--json", "@r.json"}).code, 0);
  const Value shrunk = json_of("r.json");
  EXPECT_GT(shrunk.at("log_likelihood").as_number(), shrunk.at("objective").as_number());
  ASSERT_EQ(train({"--no-calibration", "--json", "@r.json", "--shrinkage", "0"}).code, 0);
  const Value plain = json_of("r.json");
  EXPECT_NEAR(plain.at("log_likelihood").as_number(), plain.at("objective").as_number(), 1e-6);
  // Maximum likelihood is the largest there is.
  EXPECT_GT(plain.at("log_likelihood").as_number(), shrunk.at("log_likelihood").as_number());
}

TEST_F(MultilabelVerb, ValuesAreRefusedWithTheSourceThatWasNamed) {
  folder.write("d.csv", "item,x,a,b\np,1,1,0\nq,-2,0,1\n");
  expect_error(
      {"multilabel", "train", "@d.csv", "--label-count", "2", "--model", "@m.json", "--source", "bernoulli", "--quiet"},
      3,
      "d.csv: item 'q': x = -2 cannot come from --source bernoulli with --combine sum; numbers from 0 on are "
      "allowed");
  expect_error({"multilabel", "train", "@d.csv", "--label-count", "2", "--model", "@m.json", "--source", "bernoulli",
                "--combine", "or", "--quiet"},
               3, "d.csv: item 'q': x = -2 cannot come from --source bernoulli; 0 and 1 are allowed");
}

TEST_F(MultilabelVerb, WhatPredictWouldRefuseIsRefused) {
  folder.write("d.csv", "x,y,a,b\n1,2,1,0\n2,1,1,0\n3,1.5,0,1\n2,3,0,1\n5,4,1,1\n4,5,1,1\n");
  const auto expect = [&](const std::string& source, const std::string& combine, const std::string& covariance,
                          const std::string& method, const std::string& text) {
    expect_error({"multilabel", "train", "@d.csv", "--label-count", "2", "--model", "@m.json", "--source", source,
                  "--combine", combine, "--covariance", covariance, "--method", method, "--no-calibration", "--quiet"},
                 2, text);
  };
  for (const char* method : {"ignore", "new", "cross", "probabilistic"}) {
    for (const char* covariance : {"full", "shared"}) {
      const std::string start = "--covariance " + std::string(covariance) + " has no density with --combine ";
      expect("gaussian", "min", covariance, method, start + "min; spherical and diagonal have");
      expect("gaussian", "product", covariance, method, start + "product; spherical and diagonal have");
      expect("lognormal", "sum", covariance, method, start + "sum; spherical and diagonal have");
    }
  }
  expect("lognormal", "mean", "shared", "deconvolution",
         "--covariance shared: --source lognormal with --combine mean has only diagonal");
}

TEST_F(MultilabelVerb, ItemsThatTeachNothingAreNoReasonToRefuse) {
  folder.write("d.csv", "x,a,b\n1,1,0\n2,1,0\n3,0,1\n2,0,1\n-5,1,1\n0,1,1\n");
  const Words words{"train",   "@d.csv",   "--label-count", "2",         "--model",
                    "@m.json", "--source", "lognormal",     "--combine", "product"};
  const Ran ran = run(words, {"--method", "ignore", "--no-calibration", "--json", "@r.json"});
  ASSERT_EQ(ran.code, 0) << ran.err;
  expect_in(ran.out, {"warning: some items have values that the sources of their labels cannot give together: "
                      "there is no log-likelihood of all items\n"});
  EXPECT_TRUE(json_of("r.json").at("log_likelihood").is_null());
  const Ran held_out = run(words, {"--method", "ignore", "--folds", "2"});
  EXPECT_EQ(held_out.code, 0) << held_out.err;
  // Items that teach are.
  EXPECT_EQ(run(words, {"--method", "cross", "--no-calibration"}).code, 3);
  folder.write("d.csv", "x,a,b\n1,1,0\n-2,1,0\n3,0,1\n2,0,1\n5,1,1\n");
  EXPECT_EQ(run(words, {"--method", "ignore", "--no-calibration"}).code, 3);
}

TEST_F(MultilabelVerb, ValuesWhoseSquaresAreTooLargeAreRefusedAsTheyAre) {
  folder.write("d.csv", "x,a,b\n1e153,1,0\n1e153,0,1\n1e153,1,1\n1e153,1,0\n1,0,1\n1e153,1,0\n");
  for (const char* combine : {"product", "min", "sum"}) {
    expect_error({"multilabel", "train", "@d.csv", "--label-count", "2", "--model", "@m.json", "--method", "new",
                  "--combine", combine, "--quiet"},
                 3,
                 "d.csv: item '1': x = 1e+153 is too large to be taken as it is; divide the feature by a large number, "
                 "or use --standardize with gaussian sources");
  }
  EXPECT_EQ(
      run({"train", "@d.csv", "--label-count", "2", "--model", "@m.json", "--no-calibration"}, {"--standardize"}).code,
      0);
}

TEST_F(MultilabelVerb, EqualItemsMakeAModelThatIsRead) {
  std::string text = "x,y,z,a\n";
  for (const char label : std::string("00000101")) text += std::string("1.5,1.5,1.5,") + label + "\n";
  folder.write("d.csv", text);
  const std::vector<std::string> one_label{"--label-count", "1", "--model", "@m.json", "--quiet"};
  ASSERT_EQ(run({"train", "@d.csv", "--method", "probabilistic", "--no-calibration"}, one_label).code, 0);
  const Ran ran = run({"predict", "@d.csv", "--out", "@p.csv"}, one_label);
  EXPECT_EQ(ran.code, 0) << ran.err;
}

TEST_F(MultilabelVerb, TrainNeedsAModel) { expect_refused({"train", "@train.csv"}, 2, "train: needs --model"); }

class AnalyzeVerb : public MultilabelCommand {
 protected:
  Ran analyze(const Words& more = {}) const { return run({"analyze", "@train.csv", "--model", "@m.json"}, more); }
};

TEST_F(AnalyzeVerb, AModelOfLabelSetsIsToldByItsLabels) {
  ASSERT_EQ(train({"--no-calibration", "--method", "new", "--background"}).code, 0);
  const Ran ran = analyze({"--json", "@r.json", "--report", "@r.html"});
  ASSERT_EQ(ran.code, 0) << ran.err;
  expect_in(ran.out, {"the label sets present tell all 4 sources apart\n"});
  const Value::List parameters = json_of("r.json").at("parameters").as_list();
  ASSERT_EQ(parameters.size(), 8U);
  const std::vector<std::string> names{"a", "b", "c", "background"};
  for (std::size_t i = 0; i < parameters.size(); ++i) {
    EXPECT_EQ(parameters[i].at("source").as_text(), names[i / 2]);
    EXPECT_NE(ran.out.find("\n" + names[i / 2] + " "), std::string::npos) << ran.out;
  }
}

TEST_F(AnalyzeVerb, SpreadsHaveStandardErrorsAndIntervals) {
  ASSERT_EQ(train({"--no-calibration"}).code, 0);
  const Ran ran = analyze({"--json", "@r.json", "--report", "@r.html"});
  ASSERT_EQ(ran.code, 0) << ran.err;
  expect_in(ran.out, {"standard errors and intervals of 6 variances are in --json and --report\n"});
  const Value::List spreads = json_of("r.json").at("spreads").as_list();
  ASSERT_EQ(spreads.size(), 6U);
  const Value& second = spreads[1];
  EXPECT_EQ(second.at("source").as_text(), "a");
  EXPECT_EQ(second.at("feature").as_text(), "y");
  EXPECT_LT(second.at("interval").as_list()[0].as_number(), second.at("value").as_number());
  EXPECT_GT(second.at("interval").as_list()[1].as_number(), second.at("value").as_number());
  EXPECT_GT(second.at("standard_error").at("deconvolution").as_number(), 0.0);
  EXPECT_NE(folder.read("r.html").find("Variances and their uncertainty"), std::string::npos);

  ASSERT_EQ(train({"--no-calibration", "--covariance", "spherical"}).code, 0);
  EXPECT_EQ(analyze({"--json", "@r.json"}).code, 0);
  EXPECT_EQ(json_of("r.json").at("spreads").as_list()[0].at("feature").as_text(), "all features");
  ASSERT_EQ(train({"--no-calibration", "--covariance", "shared"}).code, 0);
  EXPECT_EQ(analyze({"--json", "@r.json"}).code, 0);
  EXPECT_EQ(json_of("r.json").at("spreads").as_list()[0].at("source").as_text(), "all sources");
}

TEST_F(AnalyzeVerb, WithoutASetToTestNothingIsSaidAgainstTheCombination) {
  folder.write("d.csv", "x,a,b\n1,1,0\n2,1,0\n3,1,0\n5,1,1\n4,1,1\n6,1,1\n");
  ASSERT_EQ(run({"train", "@d.csv", "--label-count", "2", "--model", "@m.json", "--no-calibration"}).code, 0);
  const Ran untold = run({"analyze", "@d.csv", "--model", "@m.json", "--json", "@r.json", "--report", "@r.html"});
  ASSERT_EQ(untold.code, 0) << untold.err;
  expect_in(untold.out, {"\nno label set can be tested against the combination: no set tells of the sources of "
                         "another\n"});
  EXPECT_TRUE(json_of("r.json").at("combination_p").is_null());
  EXPECT_EQ(json_of("r.json").at("combination_tests").as_list().size(), 1U);
  folder.write("d.csv", "x,a,b\n1,1,0\n2,1,0\n3,1,0\n5,0,1\n4,0,1\n6,0,1\n");
  const Ran single = run({"analyze", "@d.csv", "--model", "@m.json"});
  expect_in(single.out, {"\nno label set can be tested against the combination: none of several labels has two "
                         "items or more\n"});
}

class BadTraining : public BadItems {};

TEST_F(BadTraining, ALabelInNoItemIsWarnedOf) {
  folder.write("d.csv", "x,a,b\n1,1,0\n2,1,0\n3,1,0\n");
  const Ran ran = run({"train", "@d.csv", "--label-count", "2", "--model", "@m.json"});
  EXPECT_EQ(ran.code, 0) << ran.err;
  expect_in(ran.out, {"label 'b' is in no item: nothing can be learnt about it, and it is never given"});
}

TEST_F(BadTraining, NoItemHasALabel) {
  expect_untrained("x,a,b\n1,0,0\n2,0,0\n", 4, "d.csv: no item has a label, so nothing can be learnt");
}

TEST_F(BadTraining, MissingValuesAreFilledInAndTold) {
  folder.write("d.csv", "x,y,a,b\n1,2,1,0\n2.5,,1,1\n3,4,1,0\n5,1,0,1\n,3,1,0\n4,1,0,1\n");
  const std::string told = "2 values are missing: each is taken as the middle value of its feature in the ";
  const Ran ran = run({"train", "@d.csv", "--label-count", "2", "--model", "@m.json", "--no-calibration"});
  EXPECT_EQ(ran.code, 0) << ran.err;
  expect_in(ran.out, {told + "file"});
  const Ran asked = run({"predict", "@d.csv", "--label-count", "2", "--model", "@m.json", "--out", "@p.csv"});
  EXPECT_EQ(asked.code, 0) << asked.err;
  expect_in(asked.out, {told + "training items"});
  folder.write("e.csv", "x,y\n1,\n");
  expect_in(run({"predict", "@e.csv", "--model", "@m.json", "--out", "@p.csv"}).out,
            {"a value is missing: it is taken as the middle value of its feature in the training items"});
}

TEST_F(BadTraining, ALabelInEveryItemIsWarnedOf) {
  folder.write("d.csv", "x,a,b\n1,1,0\n2.5,1,1\n3,1,0\n5,1,1\n1.5,1,0\n4,1,1\n");
  const Ran ran = run({"train", "@d.csv", "--label-count", "2", "--model", "@m.json", "--no-calibration"});
  EXPECT_EQ(ran.code, 0) << ran.err;
  expect_in(ran.out, {"label 'a' is in every item: it acts as a background, and no item tells when it is absent"});
}

TEST_F(BadTraining, AConstantFeatureIsWarnedOf) {
  std::string text = small_items(60, 4);
  for (std::size_t at = 0; at < text.size(); at = text.find('\n', at) + 1) {
    text.insert(text.find(',', at) + 1, at == 0 ? "same," : "7,");
  }
  folder.write("d.csv", text);
  const Ran ran = run({"train", "@d.csv", "--label-count", "3", "--model", "@m.json", "--no-calibration"});
  EXPECT_EQ(ran.code, 0) << ran.err;
  expect_in(ran.out, {"feature same is the same in every item and says nothing"});
  EXPECT_EQ(run({"predict", "@d.csv", "--model", "@m.json", "--out", "@p.csv"}).code, 0);
}

TEST_F(BadTraining, ValuesThatTheSourcesCannotEmit) {
  expect_untrained("item,x,a,b\np,1,1,0\nq,-2,0,1\n", 3,
                   "d.csv: item 'q': x = -2 cannot come from --source exponential; numbers from 0 on are allowed",
                   {"--label-count", "2", "--source", "exponential", "--combine", "min"});
}

TEST_F(BadTraining, NothingLeftForAutoToTry) {
  const auto expect = [&](const Words& more, int code, const std::string& text) {
    expect_untrained("item,x,a,b\np,1,1,0\nq,0.5,0,1\nr,-3.5,1,0\ns,4,0,1\nt,5,1,1\nu,7,1,1\n", code, text,
                     joined({"--label-count", "2", "--method", "auto"}, more));
  };
  expect({"--combine", "mean", "--covariance", "spherical"}, 2,
         "--method auto tries no way with --combine mean, --covariance spherical; leave that out, or name a method");
  expect({"--source", "poisson"}, 3,
         "d.csv: item 'q': x = 0.5 cannot come from --source poisson; whole numbers from 0 on are allowed");
  expect({"--source", "poisson", "--standardize"}, 2,
         "--standardize: --source poisson needs the features as they are; only gaussian can take others");
  expect_untrained("x,y,a,b\n1,2,1,0\n2,1,0,1\n-3.5,3,1,0\n4,-1,0,1\n5,1,1,1\n", 4,
                   "d.csv: 5 items are too few for --method auto; name a method",
                   {"--label-count", "2", "--method", "auto", "--source", "gaussian"});
  EXPECT_EQ(run({"train", "@d.csv", "--label-count", "2", "--method", "auto", "--model", "@m.json"}).code, 0);
}

TEST_F(BadTraining, MoreFeaturesThanItemsAreShrunkOrRefusedButNeverCrash) {
  std::string text = "a,b";
  for (int d = 0; d < 40; ++d) text += ",x" + std::to_string(d);
  Rng rng(Seed{9});
  for (int n = 0; n < 12; ++n) {
    text += n % 3 == 0 ? "\n1,0" : n % 3 == 1 ? "\n0,1" : "\n1,1";
    for (int d = 0; d < 40; ++d) text += "," + to_text(rng.normal());
  }
  folder.write("d.csv", text + "\n");
  for (const char* covariance : {"spherical", "diagonal", "full", "shared"}) {
    const Ran ran = run({"train", "@d.csv", "--label-columns", "a,b", "--model", "@m.json", "--no-calibration",
                         "--covariance", covariance});
    EXPECT_EQ(ran.code, 0) << covariance << ran.err;
    EXPECT_EQ(run({"predict", "@d.csv", "--model", "@m.json", "--out", "@p.csv"}).code, 0) << covariance;
  }
}

}  // namespace
}  // namespace motet::multilabel::verbs_test
