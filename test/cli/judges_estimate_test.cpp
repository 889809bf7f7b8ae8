// `motet judges estimate` and `combine`: what they write and in which form they read.
#include <gtest/gtest.h>
#include <zlib.h>

#include <numeric>

#include "cli/support.h"
#include "motet/io/csv.h"

namespace motet::judges_estimate_test {
namespace {

class EstimateVerb : public CommandTest {};
class CombineVerb : public CommandTest {};
class UpdateVerb : public CommandTest {};

void expect_probability(const Value& value) {
  EXPECT_GE(value.as_number(), 0.0);
  EXPECT_LE(value.as_number(), 1.0);
}

TEST_F(EstimateVerb, WritesTheKeysOfTheContract) {
  const Ran ran = motet({"judges", "estimate", sample(), "--json", "@r.json"});
  ASSERT_EQ(ran.code, 0) << ran.err;
  EXPECT_TRUE(ran.out.starts_with("7 judges, 300 items, 1884 votes, 3 classes\nconverged after ")) << ran.out;
  EXPECT_EQ(ran.err, "");
  const Value json = json_of("r.json");
  EXPECT_EQ(texts_at(json, "classes"), (std::vector<std::string>{"a", "b", "c"}));
  const std::vector<double> prior = numbers_at(json, "prior", 3);
  EXPECT_NEAR(std::accumulate(prior.begin(), prior.end(), 0.0), 1.0, 1e-12);
  ASSERT_EQ(json.at("judges").as_list().size(), 7U);
  for (const Value& judge : json.at("judges").as_list()) {
    EXPECT_TRUE(judge.at("name").as_text().starts_with("judge"));
    EXPECT_GT(judge.at("votes").as_whole(), 200);
    expect_probability(judge.at("accuracy"));
    const std::vector<double> interval = numbers_at(judge, "accuracy_interval", 2);
    EXPECT_LT(interval[0], judge.at("accuracy").as_number());
    EXPECT_GT(interval[1], judge.at("accuracy").as_number());
    ASSERT_EQ(judge.at("confusion").as_list().size(), 3U);
    for (const Value& row : judge.at("confusion").as_list()) {
      double total = 0.0;
      for (const Value& cell : row.as_list()) total += cell.as_number();
      EXPECT_NEAR(total, 1.0, 1e-9);
    }
  }
  EXPECT_LT(json.at("log_likelihood").as_number(), 0.0);
  EXPECT_GT(json.at("iterations").as_whole(), 0);
  EXPECT_TRUE(json.at("converged").as_bool());
  EXPECT_TRUE(json.at("identifiable").as_bool());
  EXPECT_TRUE(json.at("warnings").is_list());
}

TEST_F(EstimateVerb, JsonOnStandardOutputStandsAlone) {
  ASSERT_EQ(motet({"judges", "estimate", sample(), "--json", "@r.json"}).code, 0);
  const Ran ran = motet({"judges", "estimate", sample(), "--json", "-", "--quiet"});
  EXPECT_EQ(ran.code, 0);
  EXPECT_EQ(ran.out, folder.read("r.json"));
  EXPECT_EQ(ran.err, "");
}

TEST_F(EstimateVerb, WritesTheSameBytesWithAnyNumberOfThreads) {
  std::vector<std::string> seen;
  for (const char* threads : {"1", "2", "4"}) {
    const Ran ran = motet({"judges", "estimate", sample(), "--threads", threads, "--bootstrap", "5", "--seed", "7",
                           "--json", "@r.json", "--model", "@m.json", "--combined", "@l.csv", "--report", "@r.html"});
    ASSERT_EQ(ran.code, 0) << ran.err;
    seen.push_back(ran.out + folder.read("r.json") + folder.read("m.json") + folder.read("l.csv") +
                   folder.read("r.html"));
  }
  EXPECT_EQ(seen[0], seen[1]);
  EXPECT_EQ(seen[0], seen[2]);
}

TEST_F(EstimateVerb, WritesALabelForEveryItem) {
  ASSERT_EQ(motet({"judges", "estimate", sample(), "--combined", "@labels.csv"}).code, 0);
  CsvReader labels(folder / "labels.csv");
  EXPECT_EQ(labels.header(), (std::vector<std::string>{"item", "label", "probability"}));
  std::size_t count = 0;
  for (CsvRows rows = labels.next_rows(); rows.size() != 0; rows = labels.next_rows()) {
    for (std::size_t i = 0; i < rows.size(); ++i, ++count) {
      EXPECT_TRUE(rows[i][1] == "a" || rows[i][1] == "b" || rows[i][1] == "c");
      const double probability = std::stod(std::string(rows[i][2]));
      EXPECT_GT(probability, 1.0 / 3.0 - 1e-9);
      EXPECT_LE(probability, 1.0);
    }
  }
  EXPECT_EQ(count, 300U);
}

TEST_F(EstimateVerb, LabelsMayGoToStandardOutput) {
  ASSERT_EQ(motet({"judges", "estimate", sample(), "--combined", "@labels.csv"}).code, 0);
  const Ran ran = motet({"judges", "estimate", sample(), "--combined", "-", "--json", "@r.json"});
  EXPECT_EQ(ran.code, 0);
  EXPECT_EQ(ran.out, folder.read("labels.csv"));
  EXPECT_FALSE(folder.read("r.json").empty());
}

TEST_F(EstimateVerb, WritesAPage) {
  ASSERT_EQ(motet({"judges", "estimate", sample(), "--report", "@r.html"}).code, 0);
  const std::string page = folder.read("r.html");
  EXPECT_NE(page.find("How good are the judges?"), std::string::npos);
  EXPECT_NE(page.find("Items in dispute"), std::string::npos);
}

TEST_F(EstimateVerb, AwkwardNamesSurviveAndAreNeverMarkup) {
  std::string votes = "item,judge,label\n";
  for (int i = 0; i < 12; ++i) {
    for (const char* judge : {"\"a,b\"", "\"say \"\"hi\"\"\"", "\"two\nlines\"", "<script>alert(1)</script>"}) {
      votes += "\"item, " + std::to_string(i) + "\"," + judge + (i % 2 == 0 ? ", yes\n" : ",1e3\n");
    }
  }
  folder.write("v.csv", votes);
  const Ran ran =
      motet({"judges", "estimate", "@v.csv", "--json", "@r.json", "--report", "@r.html", "--combined", "@l.csv"});
  ASSERT_EQ(ran.code, 0) << ran.err;
  EXPECT_NE(ran.out.find("two lines"), std::string::npos);
  const Value json = json_of("r.json");
  EXPECT_EQ(texts_at(json, "classes"), (std::vector<std::string>{" yes", "1e3"}));
  EXPECT_EQ(json.at("judges").as_list()[1].at("name").as_text(), "say \"hi\"");
  EXPECT_EQ(json.at("judges").as_list()[2].at("name").as_text(), "two\nlines");
  EXPECT_NE(folder.read("l.csv").find("\"item, 3\",1e3,"), std::string::npos);
  EXPECT_EQ(folder.read("r.html").find("<script>alert(1)"), std::string::npos);
}

TEST_F(EstimateVerb, CutsTheTableOfManyJudges) {
  ASSERT_EQ(motet({"judges", "simulate", "--items", "30", "--judges", "60", "--out", "@v.csv"}).code, 0);
  const Ran ran = motet({"judges", "estimate", "@v.csv", "--noise", "symmetric"});
  ASSERT_EQ(ran.code, 0) << ran.err;
  EXPECT_NE(ran.out.find("... 20 more rows (all are in --json)\n"), std::string::npos) << ran.out;
}

// Every way to write the small set must give the same result.
class EstimateInput : public CommandTest {
 protected:
  void expect_same(const std::vector<std::string>& more) const {
    std::vector<std::string> words = {"judges", "estimate", "--json", "-"};
    words.insert(words.end(), more.begin(), more.end());
    const Ran ran = motet(words);
    EXPECT_EQ(ran.code, 0) << ran.err;
    EXPECT_EQ(ran.out, reference());
  }
  std::string reference() const {
    folder.write("reference.csv", small_votes);
    return motet({"judges", "estimate", "--json", "-", "@reference.csv"}).out;
  }
  static std::string replaced(std::string text, char from, const std::string& to) {
    for (std::size_t at = text.find(from); at != std::string::npos; at = text.find(from, at + to.size())) {
      text.replace(at, 1, to);
    }
    return text;
  }
};

TEST_F(EstimateInput, WithWindowsLinesAndAByteOrderMark) {
  folder.write("v.csv", "\xEF\xBB\xBF" + replaced(small_votes, '\n', "\r\n"));
  expect_same({"@v.csv"});
}

TEST_F(EstimateInput, WithTabs) {
  folder.write("v.csv", replaced(small_votes, ',', "\t"));
  expect_same({"@v.csv", "--delimiter", "tab"});
  expect_same({"@v.csv", "--delimiter", "\\t"});
}

TEST_F(EstimateInput, PackedWithGzip) {
  gzFile packed = gzopen((folder / "v.csv.gz").c_str(), "wb");
  gzwrite(packed, small_votes.data(), static_cast<unsigned>(small_votes.size()));
  gzclose(packed);
  expect_same({"@v.csv.gz"});
}

TEST_F(EstimateInput, FromAPipe) {  // as standard input is: no size, no second reading
  int ends[2];
  ASSERT_EQ(::pipe(ends), 0);
  ASSERT_EQ(::write(ends[1], small_votes.data(), small_votes.size()), static_cast<ssize_t>(small_votes.size()));
  ::close(ends[1]);
  const std::string path = "/dev/fd/" + std::to_string(ends[0]);
  expect_same({path});
  ::close(ends[0]);
}

TEST_F(EstimateInput, WideAsLong) {
  folder.write("v.csv", "item,ann,bob,cem\n1,yes,yes,yes\n2,no,no,yes\n3,no,no,no\n4,yes,no,yes\n");
  expect_same({"@v.csv"});
  expect_same({"@v.csv", "--layout", "wide"});
}

TEST_F(EstimateInput, WithOtherColumnsInAnyOrder) {
  folder.write("v.csv",
               "label,time,worker,task\nyes,9,ann,1\nyes,9,bob,1\nyes,9,cem,1\nno,9,ann,2\nno,9,bob,2\nyes,9,cem,2\n"
               "no,9,ann,3\nno,9,bob,3\nno,9,cem,3\nyes,9,ann,4\nno,9,bob,4\nyes,9,cem,4\n");
  expect_same({"@v.csv"});
}

TEST_F(CombineVerb, GivesTheLabelsOfTheFit) {
  ASSERT_EQ(motet({"judges", "estimate", sample(), "--model", "@m.json", "--combined", "@a.csv"}).code, 0);
  const Ran ran = motet({"judges", "combine", sample(), "--model", "@m.json", "--combined", "@b.csv", "--json",
                         "@r.json", "--report", "@r.html"});
  ASSERT_EQ(ran.code, 0) << ran.err;
  EXPECT_EQ(folder.read("a.csv"), folder.read("b.csv"));
  EXPECT_TRUE(ran.out.starts_with("300 items labelled, ")) << ran.out;
  const Value json = json_of("r.json");
  EXPECT_EQ(json.at("items").as_whole(), 300);
  std::int64_t total = 0;
  for (const auto& [label, count] : json.at("labels").as_object()) total += count.as_whole();
  EXPECT_EQ(total, 300);
  expect_probability(json.at("disputed_share"));
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

TEST_F(UpdateVerb, AddsVotesToTheModel) {
  folder.write("v.csv", small_votes);
  ASSERT_EQ(motet({"judges", "estimate", "@v.csv", "--model", "@m.json"}).code, 0);
  folder.write("new.csv", "item,judge,label\n5,ann,yes\n5,bob,yes\n5,dan,no\n");
  const Ran ran = motet({"judges", "estimate", "--update", "@new.csv", "--model", "@m.json", "--json", "@r.json"});
  ASSERT_EQ(ran.code, 0) << ran.err;
  const Value json = json_of("r.json");
  ASSERT_EQ(json.at("judges").as_list().size(), 4U);
  EXPECT_EQ(json.at("judges").as_list()[0].at("votes").as_whole(), 5);
  EXPECT_EQ(texts_at(json, "warnings").back(), "1 judge is new to the model");
}

TEST_F(UpdateVerb, LeavesTheModelWhenAResultCannotBeWritten) {
  folder.write("v.csv", small_votes);
  ASSERT_EQ(motet({"judges", "estimate", "@v.csv", "--model", "@m.json"}).code, 0);
  const std::string before = folder.read("m.json");
  expect_error({"judges", "estimate", "--update", "@v.csv", "--model", "@m.json", "--json", "/dev/full"}, 5,
               "/dev/full: cannot be written: No space left on device");
  EXPECT_EQ(folder.read("m.json"), before);
}

TEST_F(UpdateVerb, RefusesWhatBelongsToANewFit) {
  expect_error({"judges", "estimate", "@v.csv", "--update", "@n.csv", "--model", "@m.json"}, 2,
               "update: adds to the model named by --model; leave out v.csv");
  expect_error({"judges", "estimate", "--update", "@n.csv"}, 2, "update: needs --model MODEL.json");
  expect_error({"judges", "estimate", "--update", "@n.csv", "--model", "@m.json", "--gold", "@g.csv"}, 2,
               "update: cannot be used with --gold");
  expect_error({"judges", "estimate", "--update", "@n.csv", "--model", "@m.json", "--prior", "uniform"}, 2,
               "update: cannot be used with --prior");
}

}  // namespace
}  // namespace motet::judges_estimate_test
