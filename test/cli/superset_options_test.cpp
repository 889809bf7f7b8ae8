// Options of `motet superset` that change how it learns or what it compares.
#include <gtest/gtest.h>

#include "cli/support.h"

namespace motet::superset_options_test {
namespace {

class SupersetOptionsCommand : public CommandTest {
 protected:
  SupersetOptionsCommand() {
    motet({"superset", "simulate", "--items", "90", "--classes", "4", "--clusters", "1", "--dimensions", "2", "--out",
           "@c.csv", "--quiet"});
  }

  std::string model_with(const std::vector<std::string>& more) const {
    std::vector<std::string> words = {"superset", "train",        "@c.csv",  "--truth-column", "truth",  "--model",
                                      "@m.json",  "--method",     "lsb-cmm", "--restarts",     "1",      "--folds",
                                      "2",        "--components", "6",       "--quiet",        "--json", "@r.json"};
    words.insert(words.end(), more.begin(), more.end());
    const Ran ran = motet(words);
    EXPECT_EQ(ran.code, 0) << ran.err;
    return folder.read("m.json");
  }
  Value evaluated(const std::vector<std::string>& more) const {
    std::vector<std::string> words = {"superset", "evaluate", "@c.csv", "--truth-column", "truth",  "--cross-validate",
                                      "2",        "--folds",  "2",      "--quiet",        "--json", "@r.json"};
    words.insert(words.end(), more.begin(), more.end());
    const Ran ran = motet(words);
    EXPECT_EQ(ran.code, 0) << ran.err;
    return json_of("r.json");
  }
};

TEST_F(SupersetOptionsCommand, FlagsThatAreOnCanBeTurnedOff) {
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

TEST_F(SupersetOptionsCommand, BatchesLearnToo) {
  const std::string usual = model_with({});
  const std::string batched = model_with({"--batch", "20"});
  EXPECT_NE(batched, usual);
  EXPECT_EQ(model_with({"--batch", "20"}), batched);
  const Ran ran = motet({"superset", "predict", "@c.csv", "--model", "@m.json", "--out", "@p.csv", "--quiet"});
  EXPECT_EQ(ran.code, 0) << ran.err;
}

TEST_F(SupersetOptionsCommand, CompareTriesEveryOtherMethod) {
  const Value json = evaluated({"--method", "knn", "--compare", "--restarts", "1"});
  const auto& methods = json.at("comparison").as_list();
  ASSERT_EQ(methods.size(), 8U);
  EXPECT_EQ(methods[0].at("method").as_text(), "knn");
  EXPECT_EQ(methods[0].at("accuracy").as_number(), json.at("accuracy").as_number());
  for (const Value& method : methods) EXPECT_GT(method.at("accuracy").as_number(), 0.3);
}

TEST_F(SupersetOptionsCommand, StudyAddsCandidatesAroundTheTruth) {
  const Value json = evaluated({"--method", "knn", "--study"});
  const auto& settings = json.at("study").as_list();
  ASSERT_EQ(settings.size(), 7U);
  EXPECT_EQ(settings[0].at("candidates").as_text(), "none");
  EXPECT_GE(settings[0].at("accuracy").as_number(), settings.back().at("accuracy").as_number());
}

TEST_F(SupersetOptionsCommand, AStudyNeedsEveryTruth) {
  folder.write("d.csv", "x,candidates,y\n1,a,a\n2,b,\n3,a|b,a\n4,b,b\n5,a,a\n6,b,b\n");
  expect_error({"superset", "evaluate", "@d.csv", "--truth-column", "y", "--study", "--cross-validate", "2", "--folds",
                "2", "--method", "knn", "--quiet"},
               2, "study: every item needs a true label, around which candidates are added");
}

}  // namespace
}  // namespace motet::superset_options_test
