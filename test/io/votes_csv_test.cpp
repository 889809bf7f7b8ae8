#include "motet/io/votes_csv.h"

#include <algorithm>

#include "io/support.h"
#include "motet/base/rng.h"
#include "support/cancelled.h"
#include "support/errors.h"

namespace motet::votes_csv_test {
namespace {

using Names = std::vector<std::string>;

const FileReader votes_in{"votes.csv", [](const std::string& path, const VotesFormat& format = {},
                                          const Names& classes = {}) { return read_votes(path, format, {}, classes); }};

// item:judge=label for every vote
Names listed(const Votes& votes) {
  Names list;
  for (std::size_t i = 0; i < votes.item_count(); ++i) {
    for (const std::uint32_t code : votes.of_item(i)) {
      list.push_back(std::string(votes.items[i]) + ":" + std::string(votes.judges[code / votes.class_count()]) + "=" +
                     std::string(votes.classes[code % votes.class_count()]));
    }
  }
  return list;
}

TEST(ReadVotes, Long) {
  const Votes votes = votes_in("item,judge,label\nx,ann,yes\ny,bob,no\nx,bob,no\n");
  EXPECT_EQ(votes.classes.to_vector(), (Names{"no", "yes"}));
  EXPECT_EQ(votes.items.to_vector(), (Names{"x", "y"}));
  EXPECT_EQ(votes.judges.to_vector(), (Names{"ann", "bob"}));
  EXPECT_EQ(listed(votes), (Names{"x:ann=yes", "x:bob=no", "y:bob=no"}));
}

TEST(ReadVotes, ColumnsInAnyOrderWithOthers) {
  const Names expected = {"x:ann=1", "y:ann=10", "y:bob=2"};
  EXPECT_EQ(listed(votes_in("time,label,worker,task\n1,1,ann,x\n2,2,bob,y\n3,10,ann,y\n")), expected);
  EXPECT_EQ(
      listed(votes_in("label;judge;;item\n1;ann;;x\n2;bob;;y\n10;ann;;y\n", VotesFormat{VotesLayout::long_rows, ';'})),
      expected);
  EXPECT_EQ(votes_in("item,judge,label\nx,a,10\nx,b,9\n").classes.to_vector(), (Names{"9", "10"}));
}

TEST(ReadVotes, Wide) {
  const Votes votes = votes_in("name,ann,bob,eve\nx,yes,no,\ny,,no,\nz,,,\n");
  EXPECT_EQ(listed(votes), (Names{"x:ann=yes", "x:bob=no", "y:bob=no"}));
  EXPECT_EQ(votes.judges.to_vector(), (Names{"ann", "bob", "eve"}));  // eve never voted
  EXPECT_EQ(votes.item_count(), 3U);
  EXPECT_EQ(listed(votes_in(",0,1\nx,0,1\n")), (Names{"x:0=0", "x:1=1"}));
}

TEST(ReadVotes, GivenClassesKeepTheirOrder) {
  const Votes votes = votes_in("item,judge,label\nx,ann,no\n", VotesFormat{}, Names{"yes", "no", "maybe"});
  EXPECT_EQ(votes.classes.to_vector(), (Names{"yes", "no", "maybe"}));
  EXPECT_EQ(listed(votes), (Names{"x:ann=no"}));
  const std::string long_text = "item,judge,label\na,j,yes\nb,j,no\nc,j,no\nd,j,no\ne,j,yes\nx,j,cat\ny,,no\n";
  EXPECT_EQ(votes_in.error(long_text, VotesFormat{}, Names{"yes", "no"}),
            "votes.csv:7: label 'cat' is not one of {yes, no}");
  EXPECT_EQ(votes_in.error("item,ann\nx,cat\n", VotesFormat{VotesLayout::wide}, Names{"yes", "no"}),
            "votes.csv:2: label 'cat' is not one of {yes, no}");
}

TEST(ReadVotes, ErrorsInRows) {
  votes_in.expect_errors(
      {{"item,judge,label\nx,ann,yes\nx,bob,\n", "votes.csv:3: the label is empty"},
       {"item,judge,label\nx,,yes\n", "votes.csv:2: the judge is empty"},
       {"item,judge,label\n,ann,yes\n", "votes.csv:2: the item is empty"},
       {"item,ann,bob\n,yes,no\n", "votes.csv:2: the item is empty"},
       {"item,judge,label\nx,ann,yes\nx,bob\n", "votes.csv:3: 2 fields where the header has 3"},
       {"item,judge,label\ny,bob,no\nx,ann,yes\n\nz,ann,yes\n\"z\",bob,yes\n\ny,eve,no\nx,ann,no\n",
        "votes.csv:9: judge 'ann' voted twice on item 'x' (first on line 3); keep one, or say which with --repeated"},
       {"item,ann,bob\nx,yes,no\ny,,no\nx,,yes\n",
        "votes.csv:4: judge 'bob' voted twice on item 'x' (first on line 2); keep one, or say which with --repeated"}});
}

TEST(ReadVotes, ErrorsOfTheWholeFile) {
  votes_in.expect_errors(
      {{"item,judge,label\n", "votes.csv: there are no votes"},
       {"item,ann,bob\nx,,\n", "votes.csv: there are no votes"},
       {"item,judge,label\nx,ann,yes\ny,ann,yes\n", "votes.csv: all votes say 'yes'; at least two classes are needed"},
       {"", "votes.csv: the file is empty; a header line is needed"}});
}

TEST(ReadVotes, ErrorsInTheHeader) {
  EXPECT_EQ(votes_in.error("a,b\n", VotesFormat{VotesLayout::long_rows}),
            "votes.csv:1: columns 'item', 'judge' and 'label' are needed (or 'task', 'worker', 'label'); "
            "found 'a', 'b'");
  EXPECT_EQ(votes_in.error("item,worker,label\n"),
            "votes.csv:1: columns 'item', 'judge' and 'label' are needed (or 'task', 'worker', 'label'); "
            "found 'item', 'worker', 'label'");
  EXPECT_EQ(votes_in.error("17,ann,1\n", VotesFormat{VotesLayout::long_rows}),
            "votes.csv:1: columns 'item', 'judge' and 'label' are needed (or 'task', 'worker', 'label'); "
            "found '17', 'ann', '1'; the first line must be the header");
  votes_in.expect_errors(
      {{"item,judge,label,label\n", "votes.csv:1: column 'label' appears twice"},
       {"item;judge;label\nx;ann;yes\n",
        "votes.csv:1: only one column, 'item;judge;label'; a wide table needs the item and at least one judge "
        "(is the delimiter right?)"},
       {"17,1,0\n18,1,1\n", "votes.csv:1: found '17', '1', '0'; the first line must be the header"},
       {"item,ann,ann\n", "votes.csv:1: column 'ann' appears twice; the first line must be the header"},
       {"item,ann,\n", "votes.csv:1: column 3 has no name"},
       {"x1,yes,no\nx2,yes,maybe\n",
        "votes.csv:1: 'yes' names a column and is also a vote; the first line must be the header"}});
}

TEST(ReadVotes, ReportsProgressAndStops) {
  const TemporaryFolder folder;
  std::string text = "item,judge,label\n";
  for (int i = 0; text.size() < 9'000'000; ++i) text += "item" + std::to_string(i) + ",ann," + "ab"[i % 2] + "\n";
  folder.write("votes.csv", text);
  std::vector<double> done;
  RunContext run;
  run.observer = [&](const Progress& progress) {
    EXPECT_EQ(folder.without_path(std::string(progress.stage)), "reading votes.csv");
    EXPECT_EQ(progress.unit, "MB");
    EXPECT_DOUBLE_EQ(progress.total, static_cast<double>(text.size()) / 1e6);
    done.push_back(progress.done);
  };
  read_votes(folder / "votes.csv", {}, run);
  EXPECT_EQ(done.size(), 3U);
  EXPECT_TRUE(std::is_sorted(done.begin(), done.end()));
  EXPECT_EQ(folder.error_of([&] { read_votes(folder / "votes.csv", {}, cancelled_run()); }, ErrorKind::interrupted),
            "interrupted while reading votes.csv");
}

// Enough items for several buckets and a growing table, names short and long, lines in any order.
TEST(ReadVotes, ManyVotesInAnyOrder) {
  constexpr std::size_t item_count = 70'000;
  constexpr std::size_t judge_count = 40;
  Rng rng(Seed{1});
  Names lines;
  Names expected;
  for (std::size_t i = 0; i < item_count; ++i) {
    const std::string item = (i % 3 == 0 ? "a rather long name " : "i") + std::to_string(i);
    for (std::size_t judge = i % 7; judge < judge_count; judge += 15) {
      const std::string name = "judge" + std::to_string(100 + judge);
      const std::string label = std::to_string(rng.below(30));
      lines.push_back(item + "," + name + "," + label + "\n");
      expected.push_back(item + ":" + name + "=" + label);
    }
  }
  for (std::size_t i = lines.size(); i > 1; --i) std::swap(lines[i - 1], lines[rng.below(i)]);
  std::string text = "item,judge,label\n";
  for (const std::string& line : lines) text += line;
  Names found = listed(votes_in(text));
  std::sort(found.begin(), found.end());
  std::sort(expected.begin(), expected.end());
  EXPECT_EQ(found, expected);
}

}  // namespace
}  // namespace motet::votes_csv_test
