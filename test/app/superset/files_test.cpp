// What `motet superset` says of data that are wrong, or that say too little, and of votes in their place.
#include "motet/app/superset/files.h"

#include <gtest/gtest.h>
#include <matio.h>

#include <array>
#include <functional>

#include "app/superset/support.h"
#include "superset/candidate_cases.h"

namespace motet::superset::files_test {
namespace {

class SupersetData : public CommandTest {
 protected:
  Ran train(const std::string& data, const Words& more = {}) const {
    return motet(joined({"superset", "train", data, "--model", "@m.json", "--method", "naive", "--quiet"}, more));
  }
  void expect_refused(std::string_view text, int code, const std::string& error, const Words& more = {}) const {
    folder.write("d.csv", text);
    const Ran ran = train("@d.csv", more);
    EXPECT_EQ(ran.code, code) << text;
    EXPECT_EQ(ran.err, "motet: error: d.csv" + error + "\n") << text;
    EXPECT_EQ(folder.read("m.json"), "");
  }
  void expect_told(const Ran& ran, std::string_view text) const {
    EXPECT_EQ(ran.code, 0) << ran.err;
    expect_in(ran.out, {text});
  }

  // 12 items of classes a, b and c, one after another, each with one candidate more; three judges who agree
  // but for one vote.
  std::string items(std::string_view more_header, const std::function<std::string(std::size_t)>& more) const {
    std::string text = "item,x" + std::string(more_header) + "\n";
    for (std::size_t n = 0; n < 12; ++n) {
      text += "i" + std::to_string(n) + "," + std::to_string(10 * (n % 3) + n / 3) + more(n) + "\n";
    }
    return text;
  }
  static std::string label(std::size_t n) { return std::string(1, static_cast<char>('a' + n % 3)); }
  std::string candidates() const {
    return items(",candidates", [](std::size_t n) { return "," + label(n) + "|" + label(n + 1 + n % 2); });
  }
  std::string votes() const {
    std::string text = "item,judge,label\n";
    for (std::size_t n = 0; n < 12; ++n) {
      for (const char* judge : {"j1", "j2", "j3"}) {
        text += "i" + std::to_string(n) + "," + judge + "," + label(n == 4 && judge[1] == '1' ? n + 1 : n) + "\n";
      }
    }
    return text;
  }
};

TEST_F(SupersetData, TyposAreToldWithTheirLine) {
  for (const char* weight : {"nan", "inf", ""}) {
    expect_refused(
        std::string("x,candidates\n1,b\n2,b|a:") + weight + "\n", 3,
        std::string(":3: the weight of candidate 'a' is '") + weight + "'; weights must be positive numbers");
  }
  for (const std::string set : {"*|a", "*:0.5"}) {
    expect_refused("x,candidates\n1,b\n2," + set + "\n", 3,
                   ":3: '*' is among the candidates '" + set + "'; it stands alone, for any label");
  }
  expect_refused("x,candidates,y\n1,a|b,a\n2,a|b,a|b\n", 3,
                 ":3: the true label is 'a|b'; one label is needed, or nothing where it is unknown",
                 "--truth-column y");
}

TEST_F(SupersetData, HugeWeightsAreFine) {
  folder.write("d.csv", candidates() + "i12,5,a:1e308|b:1e308\n");
  const Words with = "--outside-probability 0.1";
  EXPECT_EQ(train("@d.csv", with).code, 0);
  EXPECT_EQ(motet("superset predict @d.csv --model @m.json --out @p.csv --quiet").code, 0);
  EXPECT_EQ(motet("superset train @d.csv --model @m.json --method lsb-cmm --restarts 1 --quiet").code, 0);
}

TEST_F(SupersetData, ValuesWhoseSquaresAreTooLargeAreRefusedAsTheyAre) {
  folder.write("d.csv", "x,candidates\n0.7,a\n-1e150,b\n-1e150,a|d\n3e150,a\n3e150,d|a|b\n");
  for (const char* method : {"lsb-cmm", "ipal", "svm"}) {
    expect_error(
        {"superset", "train", "@d.csv", "--model", "@n.json", "--method", method, "--no-standardize", "--folds", "2",
         "--quiet"},
        3,
        "d.csv: feature 'x' = -1e+150 is too large to be taken as it is; leave out --no-standardize, or divide "
        "it by a large number");
  }
  EXPECT_EQ(motet("superset train @d.csv --model @n.json --method ipal --quiet").code, 0);
}

TEST_F(SupersetData, BatchesOfFewerThanTenItemsAreFine) {
  folder.write("d.csv", "x,candidates\n1,a\n2,b\n3,a|b\n4,b\n5,a\n6,b|a\n");
  EXPECT_EQ(motet("superset train @d.csv --model @n.json --method lsb-cmm --batch 2 --quiet").code, 0);
}

TEST_F(SupersetData, WhatSaysNothingCannotBeLearntFrom) {
  expect_refused("x,candidates\n1,*\n2,*\n3,*\n4,*\n5,*\n", 4,
                 ": no item says anything of its label; some need fewer candidates than all classes", "--classes a,b");
  expect_refused("x,candidates\n1,a|b\n2,b|a\n3,*\n4,a:3|b:3\n5,*\n", 4,
                 ": no item says anything of its label; some need fewer candidates than all classes");
  expect_refused("x,y,candidates\n1,2,a\n1,2,b\n1,2,a|b\n1,2,*\n1,2,a\n", 4,
                 ": all features are the same for every item, so nothing tells the classes apart");
  expect_refused("x,candidates\n1,a\n2,b\n", 4,
                 ": 2 items cannot be cut into --folds 5 parts; fewer --folds or more items are needed");
  expect_refused("x,candidates\n1,*\n2,*\n", 4, ": there are no classes; at least two are needed");
}

TEST_F(SupersetData, ATruthThatIsNoCandidateIsToldOf) {
  folder.write("d.csv", items(",candidates,y", [](std::size_t n) {
                 return "," + label(n) + "|" + label(n + 1 + n % 2) + "," + (n == 5 ? "q" : label(n));
               }));
  expect_told(train("@d.csv", "--truth-column y"),
              "warning: 1 true label is no candidate of any item and cannot be learnt: 'q'\n");
  const Ran declared = train("@d.csv", "--truth-column y --classes a,b,c,q");
  EXPECT_EQ(declared.code, 0);
  EXPECT_EQ(declared.out.find("cannot be learnt"), std::string::npos) << declared.out;
}

TEST_F(SupersetData, VotesTakeThePlaceOfCandidates) {
  folder.write("votes.csv", votes());
  folder.write("d.csv", items("", [](std::size_t) { return ""; }));
  const Ran plain = train("@d.csv", "--votes @votes.csv");
  EXPECT_EQ(plain.code, 0) << plain.err;
  EXPECT_EQ(plain.out.find(" with any"), std::string::npos) << plain.out;  // weights that differ say something
  const std::string model = folder.read("m.json");
  folder.write("d.csv", candidates());
  expect_told(train("@d.csv", "--votes @votes.csv"),
              "warning: the votes take the place of the candidates in the file\n");
  EXPECT_EQ(folder.read("m.json"), model);
}

TEST_F(SupersetData, VotesOnAMatFile) {
  const std::string path = folder / "x.mat";
  mat_t* file = Mat_CreateVer(path.c_str(), nullptr, MAT_FT_MAT5);
  const auto put = [&](const char* name, std::size_t rows, std::size_t columns, std::vector<double> values) {
    std::array<std::size_t, 2> sizes = {rows, columns};
    matvar_t* variable = Mat_VarCreate(name, MAT_C_DOUBLE, MAT_T_DOUBLE, 2, sizes.data(), values.data(), 0);
    Mat_VarWrite(file, variable, MAT_COMPRESSION_NONE);
    Mat_VarFree(variable);
  };
  std::string text = "item,judge,label\n";
  std::vector<double> data, target;
  for (std::size_t n = 0; n < 12; ++n) {
    data.push_back(static_cast<double>(10 * (n % 3) + n / 3));
    for (std::size_t l = 0; l < 3; ++l) target.push_back(l == n % 3 ? 1 : 0);
    for (const char* judge : {"j1", "j2", "j3"}) {
      text += std::to_string(n + 1) + "," + judge + "," + std::to_string(n % 3 + 1) + "\n";
    }
  }
  put("data", 12, 1, data);
  put("partial_target", 3, 12, std::vector<double>(36, 1.0));
  put("target", 3, 12, target);
  Mat_Close(file);
  folder.write("votes.csv", text);
  expect_told(train("@x.mat", "--votes @votes.csv --disambiguated @clean.csv"),
              "warning: the votes take the place of the candidates in the file\n");
  EXPECT_TRUE(folder.read("clean.csv").find("\n2,2,") != std::string::npos) << folder.read("clean.csv");
}

TEST_F(SupersetData, DeclaredClassesHoldForVotesToo) {
  folder.write("votes.csv", votes());
  folder.write("d.csv", items(",y", [](std::size_t n) { return "," + label(n); }));
  expect_told(train("@d.csv", "--votes @votes.csv --truth-column y --classes a,b,c,d"),
              "warning: 1 class is a candidate of no item: 'd'\n");
  expect_error("superset train @d.csv --model @n.json --votes @votes.csv --truth-column y --classes a,b --quiet", 3,
               "votes.csv: label 'c' is not among the declared classes 'a', 'b'");
  EXPECT_EQ(motet("judges estimate @votes.csv --model @judges.json --quiet").code, 0);
  expect_error(
      "superset train @d.csv --model @n.json --votes @votes.csv --judges @judges.json --truth-column y --classes a,b "
      "--quiet",
      3, "judges.json: label 'c' is not among the declared classes 'a', 'b'");
}

TEST_F(SupersetData, VotesOnOtherItemsAreRefused) {
  folder.write("votes.csv", votes());
  folder.write("d.csv", "item,x\np,1\nq,2\n");
  expect_error("superset train @d.csv --model @n.json --votes @votes.csv --quiet", 3,
               "votes.csv: no item of d.csv has a vote; items are matched by name, see --item-column");
}

TEST_F(SupersetData, LibsvmRowsFromCandidatesToLabels) {
  std::string text;
  for (std::size_t n = 0; n < 12; ++n) {
    text += label(n) + "," + label(n + 1 + n % 2) + " 1:" + std::to_string(10 * (n % 3) + n / 3) + " 3:1\n";
  }
  folder.write("d.svm", text);
  EXPECT_EQ(train("@d.svm").code, 0);
  folder.write("new.svm", " 1:20\n 1:1 2:0.5\n");
  const Ran ran = motet("superset predict @new.svm --model @m.json --out - --quiet");
  EXPECT_EQ(ran.code, 0) << ran.err;
  EXPECT_TRUE(ran.out.starts_with("item,label,probability,a,b,c\n1,c,")) << ran.out;
}

TEST_F(SupersetData, ATruthColumnNeedsATable) {
  folder.write("d.svm", "a,b 1:1\nb 1:2\n");
  expect_error("superset train @d.svm --truth-column y --model @m.json", 2,
               "--truth-column: 'y' goes with a table; d.svm has no columns with names");
}

TEST_F(SupersetData, EveryBadInputIsToldWithItsLine) {
  expect_refused("a,candidates\n1,b\n2,\n", 3,
                 ":3: no candidates in column 'candidates'; write * for an item nobody labelled");
  expect_refused("a,candidates\n1,b|c\n2,b|d\n", 3, ":3: label 'd' is not among the declared classes 'b', 'c'",
                 {"--classes", "b,c"});
  expect_refused("a,candidates\nnan,b\n2,c\n", 3, ":2: row 1 column 'a' is 'nan'; every feature needs a finite number");
  expect_refused("a,candidates\n1,b\n2,b\n", 4, ": 'b' is the only class; at least two are needed to tell apart");
  expect_refused("a,candidates\n", 3, ": there are no rows");
  expect_refused("", 3, ": the file is empty; a header line is needed");
  expect_refused("a,b\n1,2\n", 3, ":1: there is no column 'candidates'; found 'a', 'b'");
}

class SupersetFiles : public SupersetCommand {};

TEST_F(SupersetFiles, VotesAreEvidence) {
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

TEST_F(SupersetFiles, WhatOnlyTheMixtureHeedsIsRefusedElsewhere) {
  expect_error(
      {"superset", "train", "@c.csv", "--truth-column", "truth", "--model", "@m.json", "--prior-scale", "2", "--quiet"},
      2, "--prior-scale: goes with --method lsb-cmm");
}

TEST_F(SupersetFiles, JudgesNeedTheirVotes) {
  expect_error({"superset", "train", "@c.csv", "--judges", "@m.json", "--model", "@n.json", "--quiet"}, 2,
               "--judges: needs --votes VOTES.csv, the votes of those judges");
}

TEST_F(SupersetData, ItemsAndJudgesThatDoNotMeetAreToldOf) {
  folder.write("v.csv", votes());
  ASSERT_EQ(motet({"judges", "estimate", "@v.csv", "--model", "@judges.json", "--quiet"}).code, 0);
  folder.write("v.csv", votes() + "i0,j9,a\ni1,j8,a\n");
  folder.write("d.csv", items("", [](std::size_t) { return ""; }) + "i20,3\ni21,4\n");
  const Ran ran = train("@d.csv", {"--votes", "@v.csv", "--judges", "@judges.json"});
  expect_told(ran, "warning: 2 items have no votes and may be anything\n");
  expect_told(ran, "warning: votes of judges the model does not know were left out: 'j9', 'j8'\n");
}

TEST_F(SupersetData, OfManyTruthsOutsideSomeAreNamed) {
  folder.write("d.csv", items(",candidates,y", [](std::size_t n) {
                 return "," + label(n) + (n < 6 ? "," + label(n + 1) : "|" + label(n + 1) + "," + label(n));
               }));
  expect_told(train("@d.csv", {"--truth-column", "y"}),
              "warning: the true label of 6 items is none of the candidates: 'i0', 'i1', 'i2', 'i3', 'i4', ...; "
              "--outside-probability allows for that\n");
}

TEST(WriteDisambiguated, TheLikeliestCandidateWithItsTruth) {
  const TemporaryFolder folder;
  CandidateItems items = three_items();
  items.classes = {"a", "b", "c, d"};
  const std::vector<double> probability = {0.5, 0.5, 0.0, 0.0, 1.0, 0.0, 0.25, 0.0, 0.75};
  write_disambiguated(folder / "o.csv", items, probability);
  EXPECT_EQ(folder.read("o.csv"),
            "item,label,probability,candidates\n"
            "1,a,0.5,a|b\n2,b,1,b\n3,\"c, d\",0.75,\"a|b|c, d\"\n");
  items.truth = {2, -1, 0};
  write_disambiguated(folder / "o.csv", items, probability);
  EXPECT_EQ(folder.read("o.csv"),
            "item,label,probability,candidates,truth\n"
            "1,a,0.5,a|b,\"c, d\"\n2,b,1,b,\n3,\"c, d\",0.75,\"a|b|c, d\",a\n");
}

}  // namespace
}  // namespace motet::superset::files_test
