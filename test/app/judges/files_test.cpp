#include "motet/app/judges/files.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "cli/support.h"
#include "motet/judges/combine.h"
#include "motet/judges/update.h"
#include "support/errors.h"

namespace motet::judges::files_test {
namespace {

class BadVotes : public CommandTest {
 protected:
  void expect_refused(std::string_view votes, const std::string& text, int code = 3) const {
    folder.write("v.csv", votes);
    expect_error("judges estimate @v.csv", code, text);
  }
};

TEST_F(BadVotes, NoFile) {
  expect_errors(3, {{"judges estimate @none.csv", "none.csv: cannot be opened: No such file or directory"},
                    {"judges estimate /", "/: cannot be opened: Is a directory"}});
}

TEST_F(BadVotes, NoHeader) {
  expect_refused("1,2,1\n2,2,1\n", "v.csv:1: found '1', '2', '1'; the first line must be the header");
  folder.write("v.csv", "7,ann,yes\n7,bob,no\n");
  expect_error("judges estimate @v.csv --layout long", 3,
               "v.csv:1: columns 'item', 'judge' and 'label' are needed (or 'task', 'worker', 'label'); found '7', "
               "'ann', 'yes'; the first line must be the header");
  expect_refused("x,yes,no\ny,yes,yes\nz,no,yes\n",
                 "v.csv:1: 'yes' names a column and is also a vote; the first line must be the header");
}

TEST_F(BadVotes, WrongColumns) {
  expect_refused("item,judge,vote\n1,ann,yes\n",
                 "v.csv:1: columns 'item', 'judge' and 'label' are needed (or 'task', 'worker', 'label'); found "
                 "'item', 'judge', 'vote'");
  expect_refused("item,judge,label,label\n1,ann,yes,no\n", "v.csv:1: column 'label' appears twice");
  expect_refused("item\n1\n",
                 "v.csv:1: only one column, 'item'; a wide table needs the item and at least one judge (is the "
                 "delimiter right?)");
  expect_refused("item,ann,ann\n1,yes,no\n", "v.csv:1: column 'ann' appears twice; the first line must be the header");
}

TEST_F(BadVotes, WrongRows) {
  expect_refused("item,judge,label\n1,ann\n2,ann,no\n", "v.csv:2: 2 fields where the header has 3");
  expect_refused("item,judge,label\n1,ann,\n", "v.csv:2: the label is empty");
  expect_refused("item,judge,label\n1,a\"b,yes\n",
                 "v.csv:2: column 2: a quote inside an unquoted field; quote the field and double it");
}

TEST_F(BadVotes, TheSameVoteTwice) {
  const std::string votes = small_votes + "2,bob,yes\n";
  expect_refused(votes,
                 "v.csv:14: judge 'bob' voted twice on item '2' (first on line 6); keep one, or say which with "
                 "--repeated");
  const Ran ran = motet("judges estimate @v.csv --repeated last");
  EXPECT_EQ(ran.code, 0) << ran.err;
  expect_in(ran.out, {"warning: 1 repeated votes of a judge on one item were left out\n"});
}

TEST_F(BadVotes, OneClassOnly) {
  expect_refused("item,judge,label\n1,ann,yes\n1,bob,yes\n1,cem,yes\n",
                 "v.csv: all votes say 'yes'; at least two classes are needed");
}

TEST_F(BadVotes, NothingInTheFile) {
  expect_refused("", "v.csv: the file is empty; a header line is needed");
  expect_refused("\n\n", "v.csv: the file is empty; a header line is needed");
  expect_refused("item,judge,label\n", "v.csv: there are no votes");
}

TEST_F(BadVotes, ABinaryFile) {
  expect_refused(std::string_view("\x7F"
                                  "ELF\x02\x01\x01\0\0\0\0\0\n\0",
                                  14),
                 "v.csv:1: this is a binary file (it holds a NUL byte); a CSV text file is needed");
  expect_refused("item,judge,label\n1,J\xF6rg,yes\n",
                 "v.csv:2: column 2: the text is not valid UTF-8; convert the file to UTF-8");
}

TEST_F(BadVotes, AFileCutInTheMiddle) {
  expect_refused(small_votes.substr(0, small_votes.size() - 6),
                 "v.csv:13: 2 fields where the header has 3; the file may be cut short");
  expect_refused(small_votes + "5,\"an",
                 "v.csv:14: column 2: the quoted field is not closed before the end of the file");
  expect_refused(std::string("\x1f\x8b\x08\0\0\0", 6), "v.csv: the gzip stream is damaged or cut short");
}

TEST_F(BadVotes, TheQuestionCannotBeAnswered) {
  expect_refused("item,judge,label\n1,ann,yes\n2,ann,no\n",
                 "one judge's errors cannot be told apart from how its votes agree: at least three judges must label "
                 "the same items; add judges, give known labels with --gold, or use --noise symmetric with a known and "
                 "unequal --prior",
                 4);
  expect_refused("item,judge,label\n1,ann,yes\n1,bob,no\n2,ann,no\n2,bob,no\n",
                 "the errors of two judges cannot be told apart from how they agree: at least three judges must label "
                 "the same items; add judges, give known labels with --gold, or use --noise symmetric with a known and "
                 "unequal --prior",
                 4);
  expect_refused("item,judge,label\n1,ann,yes\n1,bob,no\n2,bob,no\n2,cem,no\n",
                 "no item has votes of three judges, so nothing tells a good judge from a bad one; add judges, give "
                 "known labels with --gold, or use --noise symmetric with a known and unequal --prior",
                 4);
}

class BadModel : public CommandTest {
 protected:
  BadModel() { folder.write("v.csv", small_votes); }
  void expect_refused(std::string_view model, const std::string& text) const {
    folder.write("m.json", model);
    expect_errors(3, {{"judges combine @v.csv --model @m.json --combined @l.csv", text},
                      {"judges estimate --update @v.csv --model @m.json", text}});
    EXPECT_EQ(folder.read("m.json"), model);
    EXPECT_EQ(folder.read("l.csv"), "");
  }
};

TEST_F(BadModel, OfANewerVersion) {
  expect_refused(R"({"format": "motet-model", "kind": "judges", "version": 99, "fields": {}})",
                 "m.json: 'judges' model of version 99 is newer than this program, which reads 1 to 1; use a newer "
                 "motet");
}

TEST_F(BadModel, OfAnotherKind) {
  expect_refused(R"({"format": "motet-model", "kind": "roles", "version": 1, "fields": {}})",
                 "m.json: holds a 'roles' model; a 'judges' model is needed");
}

TEST_F(BadModel, ThatIsNone) {
  expect_refused("", "m.json: not a motet model file");
  expect_refused(small_votes, "m.json: not a motet model file");
  expect_refused("{\"a\": 1}", "m.json: not a motet model file");
  expect_refused(R"({"format": "motet-model", "kind": "judges", "version": 1, "fields": {}})",
                 "m.json: field 'classes' is missing");
}

TEST_F(BadModel, ThatIsCut) {
  ASSERT_EQ(motet("judges estimate @v.csv --model @whole.json").code, 0);
  const std::string whole = folder.read("whole.json");
  folder.write("m.json", whole.substr(0, whole.size() / 2));
  const Ran ran = motet("judges combine @v.csv --model @m.json --combined @l.csv");
  EXPECT_EQ(ran.code, 3);
  expect_in(ran.err, {": not valid JSON: syntax error"});
}

TEST_F(BadModel, WithOtherClasses) {
  ASSERT_EQ(motet("judges estimate @v.csv --model @m.json").code, 0);
  folder.write("new.csv", "item,judge,label\n1,ann,yes\n1,bob,maybe\n");
  expect_error("judges combine @new.csv --model @m.json --combined @l.csv", 3,
               "new.csv:3: label 'maybe' is not one of {no, yes}");
}

TEST_F(BadModel, NamesOnlySomeOfManyClasses) {
  std::string votes = "item,judge,label\n";
  for (int i = 0; i < 25; ++i) {
    for (const char* judge : {"ann", "bob", "cem"}) votes += fmt::format("{},{},{}\n", i, judge, i);
  }
  folder.write("v.csv", votes);
  ASSERT_EQ(motet("judges estimate @v.csv --noise symmetric --model @m.json").code, 0);
  folder.write("new.csv", "item,judge,label\n1,ann,x\n");
  expect_error("judges combine @new.csv --model @m.json --combined @l.csv", 3,
               "new.csv:2: label 'x' is not one of {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, "
               "19 and 5 more}");
}

TEST_F(BadModel, WithSumsBelowZero) {
  ASSERT_EQ(motet({"judges", "estimate", "@v.csv", "--model", "@m.json"}).code, 0);
  const Value model = json_of("m.json");
  for (const char* name :
       {"expected_items", "expected_votes", "pseudo_votes", "pseudo_items", "votes", "accuracy_votes"}) {
    Value fields = model.at("fields");
    fields.set(name, Value::list_of(std::vector<double>(fields.at(name).as_list().size(), -5.0)));
    Value edited = Value::object({{"format", "motet-model"}, {"kind", "judges"}, {"version", 1}, {"fields", fields}});
    folder.write("e.json", to_json(edited, 1));
    expect_error({"judges", "estimate", "--update", "@v.csv", "--model", "@e.json"}, 3,
                 fmt::format("e.json: field '{}' = -5 is outside [0, 1e+15]", name));
  }
}

// Four judges on three items: ann, bob, cem, dan; classes no and yes.
Votes few_votes() {
  const std::vector<Vote> votes = {{0, 0, 1}, {0, 1, 1}, {1, 0, 0}, {1, 2, 1}, {2, 0, 1}, {1, 3, 0}};
  return make_votes(NameList(std::vector<std::string>{"x", "y, z", "w"}),
                    NameList(std::vector<std::string>{"ann", "bob", "cem", "dan"}),
                    NameList(std::vector<std::string>{"no", "yes"}), votes);
}

TEST(GoldAccuracies, AreSharesOfTheVotesOnItemsThatAreKnown) {
  Votes votes = few_votes();
  EXPECT_TRUE(gold_accuracies(votes).empty());
  votes.known = {1, Votes::unknown, 0};
  const std::vector<double> accuracy = gold_accuracies(votes);
  ASSERT_EQ(accuracy.size(), 4U);
  EXPECT_EQ(accuracy[0], 0.5);  // right on x, wrong on w
  EXPECT_EQ(accuracy[1], 1.0);
  EXPECT_TRUE(std::isnan(accuracy[2]));
  EXPECT_TRUE(std::isnan(accuracy[3]));
}

TEST(WarnOfGold, CountsItemsWithoutVotesAndNamesJudgesWithoutGold) {
  const TemporaryFolder folder;
  Votes votes = few_votes();
  EXPECT_EQ(folder.error_of([&] { warn_of_gold(votes, {0, 3}, "g.csv"); }), "g.csv: none of its items has a vote");
  votes.known = {1, Votes::unknown, 0};
  EXPECT_EQ(warn_of_gold(votes, {2, 3}, "g.csv"),
            (std::vector<std::string>{
                "3 items of g.csv without votes: left out",
                "no vote of 'cem', 'dan' on the items of g.csv: known labels say nothing of them directly"}));
  votes.known = {1, 0, 0};
  EXPECT_TRUE(warn_of_gold(votes, {3, 0}, "g.csv").empty());
}

class JudgesFiles : public CommandTest {
 protected:
  JudgesModel model_with(const Words& more = {}) const {
    EXPECT_EQ(motet(joined({"judges", "estimate", sample(), "--model", "@m.json"}, more)).code, 0);
    return read_judges_model(folder / "m.json");
  }
};

TEST_F(JudgesFiles, LongTablesOfVotesAndOfTheTruth) {
  write_votes_csv(few_votes(), folder / "v.csv");
  EXPECT_EQ(folder.read("v.csv"),
            "item,judge,label\nx,ann,yes\nx,bob,yes\n\"y, z\",ann,no\n\"y, z\",cem,yes\n\"y, z\",dan,no\nw,ann,yes\n");
  write_truth_csv(few_votes(), {1, 0, 1}, folder / "t.csv");
  EXPECT_EQ(folder.read("t.csv"), "item,label\nx,yes\n\"y, z\",no\nw,yes\n");
  JudgesFit fit;
  fit.difficulty = {{0.5, {0.25, 1.0}}, {2.0, {1.5, 2.5}}};
  write_difficulties_csv(fit, few_votes(), folder / "d.csv");
  EXPECT_EQ(folder.read("d.csv"), "item,difficulty,low,high\nx,0.5,0.25,1\n\"y, z\",2,1.5,2.5\n");
}

// The labels that are written say the same of all items as the report says of those in doubt.
TEST_F(JudgesFiles, TheMostDoubtfulItemsComeFirst) {
  const JudgesModel model = model_with();
  const Votes votes = read_votes(sample(), {}, {});
  const JudgesFit fit;
  JudgesReport report{fit, sample()};
  const std::vector<std::size_t> counts = look_at_items(model, votes, folder / "l.csv", report);
  std::map<std::string, std::size_t> labels;
  std::map<std::string, std::pair<std::string, double>> found;
  std::vector<double> doubtful;
  const std::vector<std::string> lines = lines_of("l.csv");
  ASSERT_EQ(lines.size(), votes.item_count() + 1);
  for (std::size_t i = 1; i < lines.size(); ++i) {
    const std::size_t first = lines[i].find(',');
    const std::size_t second = lines[i].find(',', first + 1);
    const std::string label = lines[i].substr(first + 1, second - first - 1);
    const double probability = std::stod(lines[i].substr(second + 1));
    ++labels[label];
    found[lines[i].substr(0, first)] = {label, probability};
    if (probability < 0.9) doubtful.push_back(probability);
  }
  for (std::size_t c = 0; c < counts.size(); ++c) EXPECT_EQ(counts[c], labels[model.classes[c]]);
  std::sort(doubtful.begin(), doubtful.end());
  ASSERT_FALSE(doubtful.empty());
  EXPECT_DOUBLE_EQ(report.disputed_share, static_cast<double>(doubtful.size()) / 300.0);
  constexpr std::size_t most_told = 50;
  ASSERT_EQ(report.disputed.size(), std::min(doubtful.size(), most_told));
  for (std::size_t i = 0; i < report.disputed.size(); ++i) {
    const DisputedItem& item = report.disputed[i];
    EXPECT_EQ(item.probability, doubtful[i]);
    EXPECT_EQ(std::pair(item.label, item.probability), found[item.item]);
    EXPECT_LE(item.runner_up_probability, item.probability);
    EXPECT_GE(item.runner_up_probability, (1.0 - item.probability) / 2.0);  // of three classes
    EXPECT_NE(item.runner_up, item.label);
  }
}

// Bob and Cem err once each, so that neither outweighs the other.
TEST_F(JudgesFiles, ADisputedItemIsToldWithItsVotes) {
  folder.write("v.csv", small_votes);
  ASSERT_EQ(motet({"judges", "estimate", "@v.csv", "--noise", "symmetric", "--model", "@m.json"}).code, 0);
  const JudgesFit fit;
  JudgesReport report{fit, "v.csv"};
  folder.write("one.csv", "item,judge,label\nq,bob,no\nq,cem,yes\n");
  const JudgesModel model = read_judges_model(folder / "m.json");
  std::vector<std::string> unknown;
  const Votes one = match_judges(model, read_votes(folder / "one.csv", {}, {}, model.classes), unknown);
  look_at_items(model, one, "", report);
  ASSERT_EQ(report.disputed.size(), 1U);
  EXPECT_EQ(report.disputed[0].item, "q");
  EXPECT_NEAR(report.disputed[0].probability, 0.5, 0.1);
  EXPECT_EQ(report.disputed[0].votes, "bob: no, cem: yes");
  EXPECT_EQ(report.disputed_share, 1.0);
}

TEST_F(JudgesFiles, AModelAloneTellsItsIntervals) {
  const JudgesModel model = model_with();
  const JudgesFit wide = fit_from_model(model, 0.99);
  const JudgesFit fit = fit_from_model(model, 0.5);
  ASSERT_EQ(fit.judges.size(), 7U);
  ASSERT_EQ(model.seen_accuracy.size(), 7U);
  EXPECT_EQ(fit.log_likelihood, model.statistics[0]);
  for (std::size_t j = 0; j < 7; ++j) {
    const double accuracy = model.seen_accuracy[j];
    EXPECT_EQ(fit.judges[j].accuracy, accuracy);
    // The standard error of a share of that many votes.
    EXPECT_NEAR(fit.judges[j].standard_error, std::sqrt(accuracy * (1.0 - accuracy) / model.accuracy_votes[j]), 1e-12);
    EXPECT_LT(wide.judges[j].interval.low, fit.judges[j].interval.low);
    EXPECT_GT(wide.judges[j].interval.high, fit.judges[j].interval.high);
    EXPECT_LT(fit.judges[j].interval.low, accuracy);
    EXPECT_GT(fit.judges[j].interval.high, accuracy);
    ASSERT_EQ(fit.judges[j].cells.size(), 9U);
    for (std::size_t cell = 0; cell < 9; ++cell) {
      const double share = model.cell(j, cell % 3, cell / 3);
      EXPECT_LE(fit.judges[j].cells[cell].low, share);
      EXPECT_GE(fit.judges[j].cells[cell].high, share);
    }
  }
  for (std::size_t y = 0; y < 3; ++y) EXPECT_LT(fit.prior[y].low, fit.prior[y].high);
}

TEST_F(JudgesFiles, APriorThatIsGivenHasNoInterval) {
  const JudgesFit fit = fit_from_model(model_with({"--prior", "a=0.5,b=0.25,c=0.25"}), 0.95);
  ASSERT_EQ(fit.prior.size(), 3U);
  EXPECT_DOUBLE_EQ(fit.prior[0].low, 0.5);
  EXPECT_DOUBLE_EQ(fit.prior[0].high, 0.5);
  EXPECT_DOUBLE_EQ(fit.prior[2].high, 0.25);
}

}  // namespace
}  // namespace motet::judges::files_test
