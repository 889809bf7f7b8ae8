#include "motet/app/judges/files.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "cli/support.h"

namespace motet::judges::files_test {
namespace {

class BadVotes : public CommandTest {
 protected:
  void expect_refused(std::string_view votes, const std::string& text, int code = 3) const {
    folder.write("v.csv", votes);
    expect_error({"judges", "estimate", "@v.csv"}, code, text);
  }
};

TEST_F(BadVotes, NoFile) {
  expect_error({"judges", "estimate", "@none.csv"}, 3, "none.csv: cannot be opened: No such file or directory");
  expect_error({"judges", "estimate", "/"}, 3, "/: cannot be opened: Is a directory");
}

TEST_F(BadVotes, NoHeader) {
  expect_refused("1,2,1\n2,2,1\n", "v.csv:1: found '1', '2', '1'; the first line must be the header");
  folder.write("v.csv", "7,ann,yes\n7,bob,no\n");
  expect_error({"judges", "estimate", "@v.csv", "--layout", "long"}, 3,
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
  const Ran ran = motet({"judges", "estimate", "@v.csv", "--repeated", "last"});
  EXPECT_EQ(ran.code, 0) << ran.err;
  EXPECT_NE(ran.out.find("warning: 1 repeated votes of a judge on one item were left out\n"), std::string::npos)
      << ran.out;
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
    expect_error({"judges", "combine", "@v.csv", "--model", "@m.json", "--combined", "@l.csv"}, 3, text);
    expect_error({"judges", "estimate", "--update", "@v.csv", "--model", "@m.json"}, 3, text);
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
  ASSERT_EQ(motet({"judges", "estimate", "@v.csv", "--model", "@whole.json"}).code, 0);
  const std::string whole = folder.read("whole.json");
  folder.write("m.json", whole.substr(0, whole.size() / 2));
  const Ran ran = motet({"judges", "combine", "@v.csv", "--model", "@m.json", "--combined", "@l.csv"});
  EXPECT_EQ(ran.code, 3);
  EXPECT_NE(ran.err.find(": not valid JSON: syntax error"), std::string::npos) << ran.err;
}

TEST_F(BadModel, WithOtherClasses) {
  ASSERT_EQ(motet({"judges", "estimate", "@v.csv", "--model", "@m.json"}).code, 0);
  folder.write("new.csv", "item,judge,label\n1,ann,yes\n1,bob,maybe\n");
  expect_error({"judges", "combine", "@new.csv", "--model", "@m.json", "--combined", "@l.csv"}, 3,
               "new.csv:3: label 'maybe' is not one of {no, yes}");
}

TEST_F(BadModel, NamesOnlySomeOfManyClasses) {
  std::string votes = "item,judge,label\n";
  for (int i = 0; i < 25; ++i) {
    for (const char* judge : {"ann", "bob", "cem"}) votes += fmt::format("{},{},{}\n", i, judge, i);
  }
  folder.write("v.csv", votes);
  ASSERT_EQ(motet({"judges", "estimate", "@v.csv", "--noise", "symmetric", "--model", "@m.json"}).code, 0);
  folder.write("new.csv", "item,judge,label\n1,ann,x\n");
  expect_error({"judges", "combine", "@new.csv", "--model", "@m.json", "--combined", "@l.csv"}, 3,
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

}  // namespace
}  // namespace motet::judges::files_test
