#include "motet/io/label_sets_csv.h"

#include "io/support.h"
#include "support/errors.h"

namespace motet::label_sets_csv_test {
namespace {

using Set = std::vector<std::size_t>;

TEST(LabelSetsCsv, JoinedLabels) {
  const TemporaryFolder folder;
  const NamedLabelSets sets =
      read_label_sets(folder.write("l.csv", "item,labels\na.wav,rain|wind\nb.wav,\nc.wav,wind\n"), ',');
  EXPECT_EQ(sets.labels, (std::vector<std::string>{"rain", "wind"}));
  EXPECT_EQ(sets.of_item.at("a.wav"), (Set{0, 1}));
  EXPECT_EQ(sets.of_item.at("b.wav"), Set{});
  EXPECT_EQ(sets.of_item.at("c.wav"), Set{1});
}

TEST(LabelSetsCsv, AColumnPerLabel) {
  const TemporaryFolder folder;
  const NamedLabelSets sets = read_label_sets(folder.write("l.csv", "rain,file,wind\n1,a.wav,0\n1,b.wav,1\n"), ',');
  EXPECT_EQ(sets.labels, (std::vector<std::string>{"rain", "wind"}));
  EXPECT_EQ(sets.of_item.at("b.wav"), (Set{0, 1}));
}

TEST(LabelSetsCsv, Errors) {
  const TemporaryFolder folder;
  const auto error = [&](const char* text) {
    return folder.error_of([&] { read_label_sets(folder.write("l.csv", text), ','); });
  };
  EXPECT_EQ(error("item,labels\na,x\na,y\n"), "l.csv:3: item 'a' comes a second time");
  EXPECT_EQ(error("item,labels\na,x||y\n"), "l.csv:2: 'x||y' has a label without a name");
  EXPECT_EQ(error("item,rain\na,2\n"), "l.csv:2: column 'rain': '2' is neither 0 nor 1");
}

}  // namespace
}  // namespace motet::label_sets_csv_test
