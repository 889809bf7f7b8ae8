// `motet superset` from files to files, and everything a user can do wrong with it.
#include <gtest/gtest.h>

#include <sstream>

#include "cli/support.h"

namespace motet::superset_test {
namespace {

class SupersetCommand : public CommandTest {
 protected:
  SupersetCommand() {
    run({"simulate", "--items", "150", "--classes", "3", "--clusters", "1", "--dimensions", "2", "--out", "@c.csv"});
  }

  Ran run(std::vector<std::string> words) const {
    words.insert(words.begin(), "superset");
    words.push_back("--quiet");
    return motet(words);
  }
  Ran train(const std::vector<std::string>& more = {}) const {
    std::vector<std::string> words = {"train",   "@c.csv",  "--truth-column", "truth",
                                      "--model", "@m.json", "--method",       "logistic-em"};
    words.insert(words.end(), more.begin(), more.end());
    return run(words);
  }
  void expect_refused(std::string_view data, int code, const std::string& text,
                      const std::vector<std::string>& more = {}) const {
    folder.write("d.csv", data);
    std::vector<std::string> words = {"superset", "train", "@d.csv", "--model", "@n.json", "--quiet"};
    words.insert(words.end(), more.begin(), more.end());
    expect_error(words, code, text);
    EXPECT_EQ(folder.read("n.json"), "");
  }
  std::vector<std::string> lines_of(std::string_view name) const {
    std::vector<std::string> lines;
    std::istringstream text(folder.read(name));
    for (std::string line; std::getline(text, line);) lines.push_back(line);
    return lines;
  }
};

TEST_F(SupersetCommand, FromCandidatesToLabels) {
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

TEST_F(SupersetCommand, EvaluateWritesTheKeysOfTheContract) {
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

TEST_F(SupersetCommand, TheSameSeedGivesTheSameBytesOnAnyNumberOfThreads) {
  const auto model_on = [&](const char* threads) {
    EXPECT_EQ(run({"train", "@c.csv", "--truth-column", "truth", "--model", "@m.json", "--threads", threads}).code, 0);
    return folder.read("m.json");
  };
  const std::string one = model_on("1");
  EXPECT_FALSE(one.empty());
  EXPECT_EQ(model_on("2"), one);
}

TEST_F(SupersetCommand, AMixtureTakesFurtherItems) {
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

TEST_F(SupersetCommand, PartsOfACrossValidationMayBeGiven) {
  std::string parts = "item,part\n";
  for (int n = 0; n < 150; ++n) parts += std::to_string(n + 1) + (n % 3 == 0 ? ",x\n" : ",y\n");
  folder.write("parts.csv", parts);
  const std::vector<std::string> words = {"evaluate", "@c.csv",  "--truth-column", "truth",  "--method",
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

TEST_F(SupersetCommand, WhatOnlyTheMixtureHeedsIsRefusedElsewhere) {
  expect_error(
      {"superset", "train", "@c.csv", "--truth-column", "truth", "--model", "@m.json", "--prior-scale", "2", "--quiet"},
      2, "prior-scale: goes with --method lsb-cmm");
}

TEST_F(SupersetCommand, VotesAreEvidence) {
  std::string votes = "item,judge,label\n";
  const std::vector<std::string> lines = lines_of("c.csv");
  for (std::size_t n = 1; n < lines.size(); ++n) {
    const std::string truth = lines[n].substr(lines[n].rfind(',') + 1);
    for (const char* judge : {"j1", "j2", "j3"}) {
      const bool errs = (n + static_cast<std::size_t>(judge[1])) % 5 == 0;
      votes += std::to_string(n) + "," + judge + "," + (errs ? "c2" : truth) + "\n";
    }
  }
  folder.write("votes.csv", votes);
  folder.write("plain.csv", [&] {
    std::string text;
    for (const std::string& line : lines) {
      const std::size_t truth = line.rfind(',');
      text += line.substr(0, line.rfind(',', truth - 1)) + line.substr(truth) + "\n";
    }
    return text;
  }());
  const Ran ran = run({"train", "@plain.csv", "--votes", "@votes.csv", "--truth-column", "truth", "--method",
                       "logistic-em", "--model", "@m.json", "--json", "@r.json"});
  ASSERT_EQ(ran.code, 0) << ran.err;
  EXPECT_EQ(json_of("r.json").at("items").as_whole(), 150);
}

TEST_F(SupersetCommand, EveryBadInputIsToldWithItsLine) {
  expect_refused("a,candidates\n1,b\n2,\n", 3,
                 "d.csv:3: no candidates in column 'candidates'; write * for an item nobody labelled");
  expect_refused("a,candidates\n1,b|c\n2,b|d\n", 3, "d.csv:3: label 'd' is not among the declared classes 'b', 'c'",
                 {"--classes", "b,c"});
  expect_refused("a,candidates\nnan,b\n2,c\n", 3,
                 "d.csv:2: row 1 column 'a' is 'nan'; every feature needs a finite number");
  expect_refused("a,candidates\n1,b\n2,b\n", 4, "d.csv: 'b' is the only class; at least two are needed to tell apart");
  expect_refused("a,candidates\n", 3, "d.csv: there are no rows");
  expect_refused("", 3, "d.csv: the file is empty; a header line is needed");
  expect_refused("a,b\n1,2\n", 3, "d.csv:1: there is no column 'candidates'; found 'a', 'b'");
}

TEST_F(SupersetCommand, AConstantFeatureAndATruthOutsideAreWarnedOf) {
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
TEST_F(SupersetCommand, AFewItemsAreEnoughForEveryMethod) {
  const std::vector<std::string> files = {"a,candidates,y\n1,b,b\n2,c,c\n3,b|c,b\n4,b|c,c\n",
                                          "a,b,candidates,y\n1,5,b,b\n2,5,c,c\n3,5,b|c,b\n4,5,*,c\n5,5,c,c\n"};
  for (const std::string& file : files) {
    folder.write("d.csv", file);
    for (const char* method : {"auto", "lsb-cmm", "logistic-em", "clpl", "knn", "ipal", "svm", "naive"}) {
      const std::vector<std::string> more = {"--truth-column", "y", "--folds", "2", "--method", method};
      for (std::vector<std::string> words : {std::vector<std::string>{"train", "@d.csv", "--model", "@m.json"},
                                             {"evaluate", "@d.csv", "--cross-validate", "2"}}) {
        words.insert(words.end(), more.begin(), more.end());
        const Ran ran = run(words);
        EXPECT_TRUE(ran.code == 0 || ran.code == 4) << method << " " << words[0] << " " << ran.code << " " << ran.err;
      }
    }
  }
}

TEST_F(SupersetCommand, FilesThatDoNotFit) {
  train();
  folder.write("q.csv", "q\n1\n");
  expect_error({"superset", "predict", "@q.csv", "--model", "@m.json", "--out", "@p.csv", "--quiet"}, 3,
               "q.csv:1: there is no column 'x1'; found 'q'");
  folder.write("bad.json", "{\"format\":\"motet-model\",\"kind\":\"superset\",\"version\":1,\"fields\":{}}");
  expect_error({"superset", "predict", "@c.csv", "--model", "@bad.json", "--out", "@p.csv", "--quiet"}, 3,
               "bad.json: field 'classes' is missing");
  expect_error({"superset", "train", "@c.csv", "--model", "@c.csv", "--quiet"}, 2,
               "c.csv: would overwrite an input; choose another name");
  expect_error({"superset", "evaluate", "@c.csv", "--truth-column", "truth", "--cross-validate", "400", "--quiet"}, 2,
               "cross-validate = 400 is more than the 150 items");
  expect_error({"superset", "train", "@c.csv", "--judges", "@m.json", "--model", "@n.json", "--quiet"}, 2,
               "judges: needs --votes VOTES.csv, the votes of those judges");
}

}  // namespace
}  // namespace motet::superset_test
