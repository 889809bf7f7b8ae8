#include "motet/io/gold_csv.h"

#include "io/support.h"
#include "support/errors.h"

namespace motet::gold_csv_test {
namespace {

Votes some_votes() {
  const std::vector<std::string> items = {"x", "y", "z"};
  const std::vector<std::string> judges = {"ann"};
  const std::vector<std::string> classes = {"a", "b"};
  const std::vector<Vote> list = {{0, 0, 0}, {1, 0, 1}, {2, 0, 1}};
  return make_votes(NameList(items), NameList(judges), NameList(classes), list);
}

std::string error_in(std::string_view text) {
  const TemporaryFolder folder;
  folder.write("gold.csv", text);
  Votes votes = some_votes();
  return folder.error_of([&] { read_gold(folder / "gold.csv", votes); });
}

TEST(ReadGold, FillsWhatIsKnown) {
  const TemporaryFolder folder;
  Votes votes = some_votes();
  const auto counts = read_gold(folder.write("gold.csv", "label,note,item\nb,,z\na,,x\nb,,z\na,,none\n"), votes);
  EXPECT_EQ(counts.used, 2U);
  EXPECT_EQ(counts.without_votes, 1U);
  EXPECT_EQ(votes.known, (std::vector<std::int32_t>{0, Votes::unknown, 1}));
  EXPECT_EQ(read_gold(folder.write("gold.csv", "task;label\ny;b\n"), votes, ';').used, 1U);
}

TEST(ReadGold, Errors) {
  expect_each(error_in,
              {{"item,label\nx,a\n\ny,x\n", "gold.csv:4: label 'x' is not one of {a, b}"},
               {"item,label\nx,a\ny,b\nx,b\n", "gold.csv:4: item 'x' is 'b' here and 'a' on line 2; keep one"},
               {"item,class\nx,a\n",
                "gold.csv:1: columns 'item' and 'label' are needed (or 'task' and 'label'); found 'item', 'class'"},
               {"item,label\n,a\n", "gold.csv:2: the item is empty"},
               {"item,label\nx,\n", "gold.csv:2: the label is empty"}});
}

}  // namespace
}  // namespace motet::gold_csv_test
