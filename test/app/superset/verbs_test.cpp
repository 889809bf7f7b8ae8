// `motet superset` from files to files.
#include "motet/app/superset/verbs.h"

#include <gtest/gtest.h>

#include "app/superset/support.h"

namespace motet::superset::verbs_test {
namespace {

class SupersetVerb : public SupersetCommand {};

TEST_F(SupersetVerb, FromCandidatesToLabels) {
  const Ran trained = train({"--disambiguated", "@clean.csv"});
  EXPECT_EQ(trained.code, 0) << trained.err;
  EXPECT_EQ(lines_of("clean.csv").size(), 151U);
  EXPECT_EQ(lines_of("clean.csv")[0], "item,label,probability,candidates,truth");
  const Ran predicted = run({"predict", "@c.csv", "--model", "@m.json", "--out", "@p.csv", "--coverage", "0.9"});
  EXPECT_EQ(predicted.code, 0) << predicted.err;
  EXPECT_EQ(lines_of("p.csv")[0], "item,label,probability,set,c1,c2,c3");
  EXPECT_EQ(lines_of("p.csv").size(), 151U);
  const Ran again =
      run({"disambiguate", "@c.csv", "--model", "@m.json", "--truth-column", "truth", "--out", "@d2.csv"});
  EXPECT_EQ(again.code, 0) << again.err;
  EXPECT_EQ(lines_of("d2.csv"), lines_of("clean.csv"));
}

TEST_F(SupersetVerb, TheSameSeedGivesTheSameBytesOnAnyNumberOfThreads) {
  const auto model_on = [&](const char* threads) {
    EXPECT_EQ(run({"train", "@c.csv", "--truth-column", "truth", "--model", "@m.json", "--threads", threads}).code, 0);
    return folder.read("m.json");
  };
  const std::string one = model_on("1");
  EXPECT_FALSE(one.empty());
  EXPECT_EQ(model_on("2"), one);
}

TEST_F(SupersetVerb, AMixtureTakesFurtherItems) {
  EXPECT_EQ(run({"train", "@c.csv", "--truth-column", "truth", "--model", "@m.json", "--method", "lsb-cmm",
                 "--restarts", "1"})
                .code,
            0);
  run({"simulate", "--items", "60", "--classes", "3", "--clusters", "1", "--dimensions", "2", "--out", "@more.csv"});
  const Ran ran = run({"update", "@more.csv", "--model", "@m.json", "--new-model", "@n.json"});
  EXPECT_EQ(ran.code, 0) << ran.err;
  EXPECT_EQ(ran.out, "60 items more, 210 in all\n");
  EXPECT_EQ(run({"predict", "@c.csv", "--model", "@n.json", "--out", "@p.csv"}).code, 0);
  train();
  expect_error(
      {"superset", "update", "@more.csv", "--model", "@m.json", "--new-model", "@n.json", "--quiet"}, 2,
      "more.csv: update: a model with 'logistic-em' cannot take further items; train one with --method lsb-cmm, or "
      "again on all items");
}

TEST_F(SupersetVerb, AConstantFeatureAndATruthOutsideAreWarnedOf) {
  folder.write("d.csv", "a,k,candidates,y\n1,5,b|c,b\n2,5,b,c\n3,5,c,c\n4,5,b,b\n1.5,5,c|b,c\n");
  const Ran ran = run({"train", "@d.csv", "--truth-column", "y", "--model", "@m.json", "--method", "logistic-em"});
  EXPECT_EQ(ran.code, 0) << ran.err;
  EXPECT_NE(
      ran.out.find("warning: the true label of 1 item is none of the candidates: '2'; --outside-probability allows "
                   "for that"),
      std::string::npos)
      << ran.out;
  EXPECT_NE(ran.out.find("warning: 1 feature does not vary and tells nothing: 'k'"), std::string::npos) << ran.out;
}

// Parts of two items or one: every method has an answer, or says why there is none.
TEST_F(SupersetVerb, AFewItemsAreEnoughForEveryMethod) {
  const std::vector<std::string> files = {"a,candidates,y\n1,b,b\n2,c,c\n3,b|c,b\n4,b|c,c\n",
                                          "a,b,candidates,y\n1,5,b,b\n2,5,c,c\n3,5,b|c,b\n4,5,*,c\n5,5,c,c\n"};
  for (const std::string& file : files) {
    folder.write("d.csv", file);
    for (const char* method : {"auto", "lsb-cmm", "logistic-em", "clpl", "knn", "ipal", "svm", "naive"}) {
      const std::vector<std::string> more = {"--truth-column", "y", "--folds", "2", "--method", method};
      for (const Words& words :
           {Words{"train", "@d.csv", "--model", "@m.json"}, {"evaluate", "@d.csv", "--cross-validate", "2"}}) {
        const Ran ran = run(joined(words, more));
        EXPECT_TRUE(ran.code == 0 || ran.code == 4) << method << " " << words[0] << " " << ran.code << " " << ran.err;
      }
    }
  }
}

TEST_F(SupersetVerb, FilesThatDoNotFit) {
  train();
  folder.write("q.csv", "q\n1\n");
  expect_error({"superset", "predict", "@q.csv", "--model", "@m.json", "--out", "@p.csv", "--quiet"}, 3,
               "q.csv:1: there is no column 'x1'; found 'q'");
  folder.write("bad.json", "{\"format\":\"motet-model\",\"kind\":\"superset\",\"version\":1,\"fields\":{}}");
  expect_error({"superset", "predict", "@c.csv", "--model", "@bad.json", "--out", "@p.csv", "--quiet"}, 3,
               "bad.json: field 'classes' is missing");
  expect_error({"superset", "train", "@c.csv", "--model", "@c.csv", "--quiet"}, 2,
               "c.csv: would overwrite an input; choose another name");
}

class SupersetTraining : public CommandTest {
 protected:
  SupersetTraining() {
    motet({"superset", "simulate", "--items", "90", "--classes", "4", "--clusters", "1", "--dimensions", "2", "--out",
           "@c.csv", "--quiet"});
  }

  std::string model_with(const Words& more) const {
    const Ran ran = motet(
        joined({"superset", "train", "@c.csv", "--truth-column", "truth", "--model", "@m.json", "--method", "lsb-cmm",
                "--restarts", "1", "--folds", "2", "--components", "6", "--quiet", "--json", "@r.json"},
               more));
    EXPECT_EQ(ran.code, 0) << ran.err;
    return folder.read("m.json");
  }
};

TEST_F(SupersetTraining, FlagsThatAreOnCanBeTurnedOff) {
  const std::string usual = model_with({});
  EXPECT_NE(model_with({"--no-smoothing"}), usual);
  EXPECT_EQ(json_of("r.json").at("options").at("--smoothing").as_text(), "false");
  EXPECT_NE(model_with({"--no-standardize"}), usual);
  expect_error({"superset", "train", "@c.csv", "--smoothing"}, 2,
               "there is no option '--smoothing'; see motet superset train --help");
  expect_error({"superset", "train", "@c.csv", "--no-smoothing=false"}, 2,
               "--no-smoothing takes no value; see motet superset train --help");
  EXPECT_NE(motet({"superset", "train", "--help"}).out.find("turns this off: candidates of lsb-cmm"),
            std::string::npos);
}

TEST_F(SupersetTraining, BatchesLearnToo) {
  const std::string usual = model_with({});
  const std::string batched = model_with({"--batch", "20"});
  EXPECT_NE(batched, usual);
  EXPECT_EQ(model_with({"--batch", "20"}), batched);
  const Ran ran = motet({"superset", "predict", "@c.csv", "--model", "@m.json", "--out", "@p.csv", "--quiet"});
  EXPECT_EQ(ran.code, 0) << ran.err;
}

}  // namespace
}  // namespace motet::superset::verbs_test
