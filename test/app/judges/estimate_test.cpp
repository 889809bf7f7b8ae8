// `motet judges estimate`: what it reads and writes, and everything a user can do wrong with its options.
#include "motet/app/judges/estimate.h"

#include <gtest/gtest.h>
#include <zlib.h>

#include <numeric>

#include "cli/support.h"
#include "motet/io/csv.h"

namespace motet::judges::estimate_test {
namespace {

void expect_probability(const Value& value) {
  EXPECT_GE(value.as_number(), 0.0);
  EXPECT_LE(value.as_number(), 1.0);
}

class EstimateVerb : public CommandTest {};
class UpdateVerb : public CommandTest {};
class GladVerb : public CommandTest {};

TEST_F(EstimateVerb, WritesTheKeysOfTheContract) {
  const Ran ran = done({"judges", "estimate", sample(), "--json", "@r.json"});
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
    const Ran ran = done({"judges", "estimate", sample(), "--threads", threads, "--bootstrap", "5", "--seed", "7",
                          "--json", "@r.json", "--model", "@m.json", "--combined", "@l.csv", "--report", "@r.html"});
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
  expect_in(page, {"How good are the judges?", "Items in dispute"});
}

TEST_F(EstimateVerb, AwkwardNamesSurviveAndAreNeverMarkup) {
  std::string votes = "item,judge,label\n";
  for (int i = 0; i < 12; ++i) {
    for (const char* judge : {"\"a,b\"", "\"say \"\"hi\"\"\"", "\"two\nlines\"", "<script>alert(1)</script>"}) {
      votes += "\"item, " + std::to_string(i) + "\"," + judge + (i % 2 == 0 ? ", yes\n" : ",1e3\n");
    }
  }
  folder.write("v.csv", votes);
  const Ran ran = done("judges estimate @v.csv --json @r.json --report @r.html --combined @l.csv");
  expect_in(ran.out, {"two lines"});
  const Value json = json_of("r.json");
  EXPECT_EQ(texts_at(json, "classes"), (std::vector<std::string>{" yes", "1e3"}));
  EXPECT_EQ(json.at("judges").as_list()[1].at("name").as_text(), "say \"hi\"");
  EXPECT_EQ(json.at("judges").as_list()[2].at("name").as_text(), "two\nlines");
  expect_in(folder.read("l.csv"), {"\"item, 3\",1e3,"});
  EXPECT_EQ(folder.read("r.html").find("<script>alert(1)"), std::string::npos);
}

TEST_F(EstimateVerb, CutsTheTableOfManyJudges) {
  ASSERT_EQ(motet("judges simulate --items 30 --judges 60 --out @v.csv").code, 0);
  const Ran ran = done("judges estimate @v.csv --noise symmetric");
  expect_in(ran.out, {"... 20 more rows (all are in --json)\n"});
}

// Every way to write the small set must give the same result.
class EstimateInput : public CommandTest {
 protected:
  void expect_same(const Words& more) const {
    const Ran ran = motet(joined({"judges", "estimate", "--json", "-"}, more));
    EXPECT_EQ(ran.code, 0) << ran.err;
    EXPECT_EQ(ran.out, reference());
  }
  std::string reference() const {
    folder.write("reference.csv", small_votes);
    return motet("judges estimate --json - @reference.csv").out;
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
  expect_same("@v.csv");
}

TEST_F(EstimateInput, WithTabs) {
  folder.write("v.csv", replaced(small_votes, ',', "\t"));
  expect_same("@v.csv --delimiter tab");
  expect_same({"@v.csv", "--delimiter", "\\t"});
}

TEST_F(EstimateInput, PackedWithGzip) {
  gzFile packed = gzopen((folder / "v.csv.gz").c_str(), "wb");
  gzwrite(packed, small_votes.data(), static_cast<unsigned>(small_votes.size()));
  gzclose(packed);
  expect_same("@v.csv.gz");
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
  expect_same("@v.csv");
  expect_same("@v.csv --layout wide");
}

TEST_F(EstimateInput, WithOtherColumnsInAnyOrder) {
  folder.write("v.csv",
               "label,time,worker,task\nyes,9,ann,1\nyes,9,bob,1\nyes,9,cem,1\nno,9,ann,2\nno,9,bob,2\nyes,9,cem,2\n"
               "no,9,ann,3\nno,9,bob,3\nno,9,cem,3\nyes,9,ann,4\nno,9,bob,4\nyes,9,cem,4\n");
  expect_same("@v.csv");
}

TEST_F(UpdateVerb, AddsVotesToTheModel) {
  folder.write("v.csv", small_votes);
  ASSERT_EQ(motet("judges estimate @v.csv --model @m.json").code, 0);
  folder.write("new.csv", "item,judge,label\n5,ann,yes\n5,bob,yes\n5,dan,no\n");
  const Ran ran = done("judges estimate --update @new.csv --model @m.json --json @r.json");
  const Value json = json_of("r.json");
  ASSERT_EQ(json.at("judges").as_list().size(), 4U);
  EXPECT_EQ(json.at("judges").as_list()[0].at("votes").as_whole(), 5);
  EXPECT_EQ(texts_at(json, "warnings").back(), "1 judge is new to the model");
}

TEST_F(UpdateVerb, LeavesTheModelWhenAResultCannotBeWritten) {
  folder.write("v.csv", small_votes);
  ASSERT_EQ(motet("judges estimate @v.csv --model @m.json").code, 0);
  const std::string before = folder.read("m.json");
  expect_error("judges estimate --update @v.csv --model @m.json --json /dev/full", 5,
               "/dev/full: cannot be written: No space left on device");
  EXPECT_EQ(folder.read("m.json"), before);
}

TEST_F(UpdateVerb, RefusesWhatBelongsToANewFit) {
  expect_errors(
      2,
      {{"judges estimate @v.csv --update @n.csv --model @m.json",
        "--update: adds to the model named by --model; leave out v.csv"},
       {"judges estimate --update @n.csv", "--update: needs --model MODEL.json"},
       {"judges estimate --update @n.csv --model @m.json --gold @g.csv", "--update: cannot be used with --gold"},
       {"judges estimate --update @n.csv --model @m.json --prior uniform", "--update: cannot be used with --prior"}});
}

TEST_F(GladVerb, TellsDifficultiesAndAModelThatCombinesAsTheFitDid) {
  const Ran ran = done({"judges", "estimate", sample(), "--noise", "glad", "--difficulties", "@d.csv", "--combined",
                        "@l.csv", "--model", "@m.json", "--json", "@r.json"});
  const Value json = json_of("r.json");
  const Value::List& items = json.at("difficulties").as_list();
  ASSERT_EQ(items.size(), 300U);
  EXPECT_EQ(items[0].at("item").as_text(), "item1");
  EXPECT_GT(items[1].at("difficulty").as_number(), items[0].at("difficulty").as_number());
  EXPECT_GT(json.at("judges").as_list()[0].at("ability").as_number(), 1.0);
  EXPECT_TRUE(folder.read("d.csv").starts_with("item,difficulty,low,high\nitem1,0.394"));
  ASSERT_EQ(motet({"judges", "combine", sample(), "--model", "@m.json", "--combined", "@again.csv"}).code, 0);
  EXPECT_EQ(folder.read("again.csv"), folder.read("l.csv"));
}

TEST_F(GladVerb, RefusesWhatOtherModelsHave) {
  expect_error({"judges", "estimate", sample(), "--difficulties", "@d.csv"}, 2,
               "--difficulties: only a model that tells items apart has them; add --noise glad");
  ASSERT_EQ(motet({"judges", "estimate", sample(), "--noise", "glad", "--model", "@m.json"}).code, 0);
  expect_error({"judges", "estimate", "--update", sample(), "--model", "@m.json"}, 2,
               "--update: a model of --noise glad cannot be added to; fit all votes together");
}

class BadEstimate : public CommandTest {
 protected:
  BadEstimate() { folder.write("v.csv", small_votes); }
  void expect_refused(const Words& more, int code, const std::string& text) const {
    expect_error(joined({"judges", "estimate", "@v.csv"}, more), code, text);
  }
};

TEST_F(BadEstimate, Prior) {
  expect_refused({"--prior", "yes=0.5,maybe=0.5"}, 2, "--prior: class 'maybe' is not one of {no, yes}");
  expect_refused({"--prior", "yes=0.5,no=0.4"}, 2, "--prior: the shares sum to 0.9; they must sum to 1");
  expect_refused({"--prior", "yes=1"}, 2, "--prior: class 'no' has no share");
  expect_refused({"--prior", "yes=1.5,no=-0.5"}, 2, "--prior: class 'yes' = 1.5 is outside [0, 1]");
  expect_refused({"--prior", "half"}, 2, "--prior: 'half' is not 'estimate', 'uniform' or CLASS=SHARE,CLASS=SHARE,...");
}

TEST_F(BadEstimate, Gold) {
  folder.write("g.csv", "item,label\n8,yes\n9,no\n");
  expect_refused({"--gold", "@g.csv"}, 3, "g.csv: none of its items has a vote");
  folder.write("g.csv", "item,label\n1,perhaps\n");
  expect_refused({"--gold", "@g.csv"}, 3, "g.csv:2: label 'perhaps' is not one of {no, yes}");
  folder.write("g.csv", "item,truth\n1,yes\n");
  expect_refused({"--gold", "@g.csv"}, 3,
                 "g.csv:1: columns 'item' and 'label' are needed (or 'task' and 'label'); found 'item', 'truth'");
  expect_error({"judges", "estimate", "-", "--gold", "-"}, 2,
               "-: standard input can be read only once; name a file for the other input");
}

TEST_F(BadEstimate, AJudgeWithoutGoldIsNamed) {
  folder.write("v.csv", small_votes + "5,ann,yes\n5,bob,no\n");
  folder.write("g.csv", "item,label\n5,yes\n6,no\n");
  const Ran ran = motet({"judges", "estimate", "@v.csv", "--gold", "@g.csv"});
  EXPECT_EQ(ran.code, 0) << ran.err;
  EXPECT_NE(ran.out.find("warning: 1 item of g.csv without votes: left out\n"
                         "warning: no vote of 'cem' on the items of g.csv: known labels say nothing of it directly\n"),
            std::string::npos)
      << ran.out;
}

TEST_F(BadEstimate, Delimiter) {
  expect_refused({"--delimiter", "::"}, 2, "--delimiter: '::' is not one character or 'tab'");
}

TEST_F(BadEstimate, OutputsThatCannotBeWritten) {
  for (const char* option : {"--json", "--report", "--combined", "--model", "--checkpoint"}) {
    expect_refused({option, "@none/x"}, 5, "none/x: cannot be written: No such file or directory");
    expect_refused({option, "/tmp"}, 5, "/tmp: cannot be written: Is a directory");
  }
  expect_refused({"--json", "@v.csv/x"}, 5, "v.csv/x: cannot be written: Not a directory");
  expect_refused({"--json", std::string(300, 'x')}, 5,
                 std::string(300, 'x') + ": cannot be written: File name too long");
}

TEST_F(BadEstimate, AFullDisk) {
  for (const char* option : {"--json", "--report", "--combined", "--model"}) {
    expect_refused({option, "/dev/full"}, 5, "/dev/full: cannot be written: No space left on device");
  }
  expect_refused({"--checkpoint", "/dev/full", "--checkpoint-every", "0"}, 5,
                 "/dev/full: cannot be written: No space left on device");
  expect_error({"judges", "simulate", "--out", "/dev/full"}, 5,
               "/dev/full: cannot be written: No space left on device");
  expect_error({"judges", "simulate", "--out", "@s.csv", "--truth", "/dev/full"}, 5,
               "/dev/full: cannot be written: No space left on device");
}

TEST_F(BadEstimate, OutputsThatWouldDestroySomething) {
  expect_refused({"--json", "@v.csv"}, 2, "v.csv: would overwrite an input; choose another name");
  expect_refused({"--checkpoint", "@./v.csv"}, 2, "./v.csv: would overwrite an input; choose another name");
  folder.write("g.csv", "item,label\n1,yes\n");
  expect_refused({"--gold", "@g.csv", "--combined", "@g.csv"}, 2,
                 "g.csv: would overwrite an input; choose another name");
  expect_error({"judges", "combine", "@v.csv", "--model", "@g.csv", "--combined", "@g.csv"}, 2,
               "g.csv: would overwrite an input; choose another name");
  expect_refused({"--json", "@r", "--model", "@./r"}, 2, "r: is named for two outputs");
  expect_refused({"--json", "-", "--combined", "-"}, 2,
                 "-: standard output can take only one output; name a file for the other");
  expect_refused({"--checkpoint", "/dev/stdout"}, 2,
                 "-: a checkpoint cannot go to standard output; name a file (./- for one called '-')");
  expect_error({"judges", "estimate", "--update", "@v.csv", "--model", "-"}, 2,
               "-: the model that is added to is read and written; name a file (./- for one called '-')");
  for (const char* option : {"--report", "--model", "--checkpoint", "--json", "--gold", "--combined"}) {
    expect_refused({option, ""}, 2,
                   std::string(option) + ": the name of the file is empty; name one, or leave out " + option);
  }
  EXPECT_EQ(folder.read("v.csv"), small_votes);
  EXPECT_EQ(folder.file_count(), 2U);
}

TEST_F(BadEstimate, CheckpointsThatDoNotFit) {
  expect_refused({"--resume"}, 2, "--resume: needs --checkpoint FILE");
  folder.write("ck", "item,label\n");
  expect_refused({"--checkpoint", "@ck", "--resume"}, 3, "ck: not a motet model file");
  folder.write("ck",
               R"({"format": "motet-model", "kind": "checkpoint", "version": 1, "fields": {"fingerprint": "0"}})");
  expect_refused({"--checkpoint", "@ck", "--resume"}, 3,
                 "ck: the checkpoint belongs to other data or options; start without --resume");
  folder.write("ck", R"({"format": "motet-model", "kind": "checkpoint", "version": 2, "fields": {}})");
  expect_refused({"--checkpoint", "@ck", "--resume"}, 3,
                 "ck: 'checkpoint' model of version 2 is newer than this program, which reads 1 to 1; use a newer "
                 "motet");
}

}  // namespace
}  // namespace motet::judges::estimate_test
