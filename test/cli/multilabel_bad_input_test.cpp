// Everything a user can do wrong with `motet multilabel`, with the exact answer.
#include <gtest/gtest.h>

#include "cli/multilabel_support.h"

namespace motet::multilabel_bad_input_test {
namespace {

class BadItems : public MultilabelCommand {
 protected:
  void expect_refused(std::string_view data, int code, const std::string& text,
                      const std::vector<std::string>& more = {"--label-count", "2"}) const {
    folder.write("d.csv", data);
    std::vector<std::string> words = {"multilabel", "train", "@d.csv", "--model", "@m.json", "--quiet"};
    words.insert(words.end(), more.begin(), more.end());
    expect_error(words, code, text);
    EXPECT_EQ(folder.read("m.json"), "");
  }
  void expect_used(const std::vector<std::string>& words, int code, const std::string& text) const {
    std::vector<std::string> all{"multilabel"};
    all.insert(all.end(), words.begin(), words.end());
    all.push_back("--quiet");
    expect_error(all, code, text);
  }
};

TEST_F(BadItems, NothingSaysWhichColumnsAreLabels) {
  expect_refused("x,a\n1,1\n", 2,
                 "d.csv: nothing says which columns are labels; name them with --label-columns a,b,c, their number at "
                 "the end with --label-count N, or a MULAN file with --labels FILE.xml",
                 {});
  expect_refused("x,a\n1,1\n", 2, "labels, label-columns, label-count: more than one is given; one is enough",
                 {"--label-columns", "a", "--label-count", "1"});
  expect_refused("x,a\n1,1\n", 2, "label-count = 2 leaves no feature: d.csv has 2 columns");
  expect_refused("x,a\n1,1\n", 3, "d.csv: there is no column 'b', which label-columns names; found 'x', 'a'",
                 {"--label-columns", "a,b"});
}

TEST_F(BadItems, FilesThatCannotBe) {
  expect_used({"train", "@none.csv", "--label-count", "1", "--model", "@m.json"}, 3,
              "none.csv: cannot be opened: No such file or directory");
  expect_refused("", 3, "d.csv: the file is empty; a header line is needed");
  expect_refused("x,a,b\n", 3, "d.csv: there are no items in it");
  expect_refused("x,x,a,b\n1,2,1,0\n", 3, "d.csv:1: column 'x' appears twice; the first line must be the header");
  expect_refused("x,a,b\nnan,1,0\n", 3, "d.csv:2: item 1 column 'x' is 'nan'; every feature needs a finite number");
  expect_refused("x,a,b\n1,1,0\ninf,1,0\n", 3,
                 "d.csv:3: item 2 column 'x' is 'inf'; every feature needs a finite number");
  expect_refused("x,a,b\n1,1,yes\n", 3, "d.csv:2: item 1 column 'b' is 'yes'; a label is 0 or 1");
  expect_refused("x,a,b|c\n1,1,0\n", 3,
                 "d.csv: label 'b|c' holds '|', which stands between the labels of a set; rename it");
}

TEST_F(BadItems, ALabelInNoItem) {
  expect_refused("x,a,b\n1,1,0\n2,1,0\n3,1,0\n", 4,
                 "d.csv: label 'b' is in no item, so nothing can be learnt about it; leave it out");
}

TEST_F(BadItems, ALabelInEveryItemIsWarnedOf) {
  folder.write("d.csv", "x,a,b\n1,1,0\n2.5,1,1\n3,1,0\n5,1,1\n1.5,1,0\n4,1,1\n");
  const Ran ran = run({"train", "@d.csv", "--label-count", "2", "--model", "@m.json", "--no-calibration"});
  EXPECT_EQ(ran.code, 0) << ran.err;
  EXPECT_NE(ran.out.find("label 'a' is in every item: it acts as a background, and no item tells when it is absent"),
            std::string::npos)
      << ran.out;
}

TEST_F(BadItems, AConstantFeatureIsWarnedOf) {
  std::string text = small_items(60, 4);
  for (std::size_t at = 0; at < text.size(); at = text.find('\n', at) + 1) {
    text.insert(text.find(',', at) + 1, at == 0 ? "same," : "7,");
  }
  folder.write("d.csv", text);
  const Ran ran = run({"train", "@d.csv", "--label-count", "3", "--model", "@m.json", "--no-calibration"});
  EXPECT_EQ(ran.code, 0) << ran.err;
  EXPECT_NE(ran.out.find("feature same is the same in every item and says nothing"), std::string::npos) << ran.out;
  EXPECT_EQ(run({"predict", "@d.csv", "--model", "@m.json", "--out", "@p.csv"}).code, 0);
}

TEST_F(BadItems, XmlWithALabelThatIsNoAttribute) {
  folder.write("d.arff", "@relation x\n@attribute f numeric\n@attribute a {0,1}\n@data\n1,0\n2,1\n");
  folder.write("d.xml", "<labels><label name='a'/><label name='b'/></labels>");
  expect_used({"train", "@d.arff", "--model", "@m.json"}, 3,
              "d.arff: there is no column 'b', which d.xml names; found 'f', 'a'");
  folder.write("e.xml", "<labels><label name='a'/>");
  expect_used({"train", "@d.arff", "--labels", "@e.xml", "--model", "@m.json"}, 3,
              "e.xml:1: this is no XML: start-end tags mismatch");
}

TEST_F(BadItems, SparseIndexOutOfRange) {
  folder.write("d.arff", "@relation '-C 1'\n@attribute a {0,1}\n@attribute f numeric\n@data\n{0 1, 1 0.5}\n{2 1}\n");
  expect_used({"train", "@d.arff", "--model", "@m.json"}, 3,
              "d.arff:6: attribute number 2 is out of range; there are 2 attributes, numbered from 0");
  folder.write("d.svm", "1 1:1\n2 0:5 3:1 2:7\n");
  expect_used({"train", "@d.svm", "--model", "@m.json"}, 3,
              "d.svm:2: feature 2 comes after feature 3; numbers must rise");
}

TEST_F(BadItems, ValuesThatTheSourcesCannotEmit) {
  expect_refused("item,x,a,b\np,1,1,0\nq,-2,0,1\n", 3,
                 "d.csv: item 'q': x = -2 cannot come from source = exponential; numbers from 0 on are allowed",
                 {"--label-count", "2", "--source", "exponential", "--combine", "min"});
}

TEST_F(BadItems, NothingLeftForAutoToTry) {
  const auto expect = [&](const std::vector<std::string>& more, int code, const std::string& text) {
    std::vector<std::string> words{"--label-count", "2", "--method", "auto"};
    words.insert(words.end(), more.begin(), more.end());
    expect_refused("item,x,a,b\np,1,1,0\nq,0.5,0,1\nr,-3.5,1,0\ns,4,0,1\nt,5,1,1\nu,7,1,1\n", code, text, words);
  };
  expect({"--combine", "mean", "--covariance", "spherical"}, 2,
         "method = auto tries no way with combine = mean, covariance = spherical; leave that out, or name a method");
  expect({"--source", "poisson"}, 3,
         "d.csv: item 'q': x = 0.5 cannot come from source = poisson; whole numbers from 0 on are allowed");
  expect({"--source", "poisson", "--standardize"}, 2,
         "standardize: source = poisson needs the features as they are; only gaussian can take others");
  expect_refused("x,y,a,b\n1,2,1,0\n2,1,0,1\n-3.5,3,1,0\n4,-1,0,1\n5,1,1,1\n", 4,
                 "d.csv: 5 items are too few for method = auto; name a method",
                 {"--label-count", "2", "--method", "auto"});
}

TEST_F(BadItems, AModelUsedOnDataWithOtherColumns) {
  ASSERT_EQ(train({"--no-calibration"}).code, 0);
  folder.write("d.csv", "x,z\n1,2\n");
  for (const char* verb : {"predict", "separate"}) {
    expect_used({verb, "@d.csv", "--model", "@m.json", "--out", "@p.csv"}, 3,
                "d.csv: there is no column 'y', which the model was trained with; found 'x', 'z'");
  }
  folder.write("d.csv", "x,y,a,b\n1,2,0,1\n");
  for (const char* verb : {"evaluate", "analyze"}) {
    expect_used({verb, "@d.csv", "--model", "@m.json"}, 3,
                "d.csv: there is no column 'c', which is a label of the model; found 'x', 'y', 'a', 'b'");
  }
  folder.write("d.svm", "a 1:2 3:4\n");
  expect_used({"predict", "@d.svm", "--model", "@m.json", "--out", "@p.csv"}, 3,
              "d.svm:1: feature 3 is not one of the model's, 1 to 2");
}

TEST_F(BadItems, ModelsThatAreNone) {
  ASSERT_EQ(train({"--no-calibration"}).code, 0);
  const std::string model = folder.read("m.json");
  folder.write("cut.json", model.substr(0, model.size() / 2));
  const Ran cut = run({"predict", "@test.csv", "--model", "@cut.json", "--out", "@p.csv"});
  EXPECT_EQ(cut.code, 3);
  EXPECT_EQ(cut.err.substr(0, 23), "motet: error: cut.json:");
  folder.write("other.json", R"({"format": "motet-model", "kind": "mixture", "version": 1, "fields": {}})");
  const Ran other = run({"predict", "@test.csv", "--model", "@other.json", "--out", "@p.csv"});
  EXPECT_EQ(other.code, 3);
  EXPECT_EQ(other.err.substr(0, 25), "motet: error: other.json:");
  EXPECT_EQ(folder.read("p.csv"), "");
}

TEST_F(BadItems, OptionsThatAreMissingOrDoNotFit) {
  expect_used({"train", "@train.csv"}, 2, "train: needs --model");
  expect_used({"predict", "@test.csv"}, 2, "predict: needs --model and --out");
  expect_used({"evaluate", "@test.csv"}, 2,
              "evaluate: needs --model, --cross-validate, or trainings to --compare without --method");
  expect_used({"evaluate", "@test.csv", "--model", "@m.json", "--cross-validate", "3"}, 2,
              "evaluate: --model and --cross-validate exclude each other");
  expect_used({"evaluate", "@test.csv", "--cross-validate", "1"}, 2,
              "cross-validate = 1 is too few; 2 folds or more are needed");
  expect_used({"evaluate", "@test.csv", "--label-count", "3", "--cross-validate", "121"}, 2,
              "cross-validate = 121 is more than the 120 items of test.csv");
  expect_used({"evaluate", "@test.csv", "--model", "@m.json", "--compare", "all"}, 2,
              "compare: needs --train, the items the model was trained on");
  expect_used({"evaluate", "@test.csv", "--model", "@m.json", "--learning-curve"}, 2,
              "learning-curve: needs --train, the items the model was trained on");
  expect_used({"evaluate", "@test.csv", "--cross-validate", "3", "--train", "@train.csv"}, 2,
              "train: goes with --model; a cross-validation trains on its own folds");
  expect_used({"evaluate", "@test.csv", "--model", "@m.json", "--method", "new"}, 2,
              "method: goes with --cross-validate; the model of --model is trained already");
  expect_used(
      {"evaluate", "@test.csv", "--cross-validate", "3", "--compare", "svm"}, 2,
      "compare: 'svm' is not one of {all, new, cross, probabilistic, ignore, deconvolution, lp-lda, lp-logistic, "
      "lp-svm, ovr-lda, ovr-logistic, ovr-svm, ml-knn}; a training can have its decision behind it, as in "
      "cross/ml");
  ASSERT_EQ(train({"--no-calibration"}).code, 0);
  expect_used({"predict", "@test.csv", "--model", "@m.json", "--out", "@p.csv", "--heuristic-error", "0.05"}, 2,
              "heuristic_error needs candidates = all or degree:M; leave it 0 with observed");
  expect_used({"simulate", "--model", "@m.json", "--labels", "3"}, 2,
              "labels: does not go with --model, which has its sources");
}

TEST_F(BadItems, OutputsNeverOverwriteInputsOrEachOther) {
  expect_used({"train", "@train.csv", "--label-count", "3", "--model", "@train.csv"}, 2,
              "train.csv: would overwrite an input; choose another name");
  folder.write("d.arff", "@relation x\n@attribute f numeric\n@attribute a {0,1}\n@data\n1,0\n2,1\n");
  folder.write("d.xml", "<labels><label name='a'/></labels>");
  expect_used({"train", "@d.arff", "--model", "@d.xml"}, 2, "d.xml: would overwrite an input; choose another name");
  expect_used({"train", "@train.csv", "--label-count", "3", "--model", ""}, 2,
              "--model: the name of the file is empty; name one, or leave out --model");
  ASSERT_EQ(train({"--no-calibration"}).code, 0);
  expect_used({"predict", "@test.csv", "--model", "@m.json", "--out", "@m.json"}, 2,
              "m.json: would overwrite an input; choose another name");
  expect_used({"predict", "@test.csv", "--model", "@m.json", "--out", "@p.csv", "--marginals", "@p.csv"}, 2,
              "p.csv: is named for two outputs");
  expect_used({"predict", "@test.csv", "--model", "@m.json", "--out", "-", "--json", "-"}, 2,
              "-: standard output can take only one output; name a file for the other");
  expect_used({"evaluate", "@test.csv", "--model", "@m.json", "--train", "@train.csv", "--compare", "lp-lda", "--json",
               "@train.csv"},
              2, "train.csv: would overwrite an input; choose another name");
}

TEST_F(BadItems, MoreFeaturesThanItemsAreShrunkOrRefusedButNeverCrash) {
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
}  // namespace motet::multilabel_bad_input_test
