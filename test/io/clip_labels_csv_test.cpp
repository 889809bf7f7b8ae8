#include "motet/io/clip_labels_csv.h"

#include <gtest/gtest.h>

#include "io/support.h"

namespace motet::clip_labels_csv_test {
namespace {

TEST(ClipLabels, AreReadWithTheirHeadings) {
  const TemporaryFolder folder;
  const std::vector<ClipLabelRow> rows = read_clip_labels(folder.write("l.csv", "clip,labels\na.wav,b|a|b\nc.wav,a\n"));
  ASSERT_EQ(rows.size(), 2U);
  EXPECT_EQ(rows[0].name, "a.wav");
  EXPECT_EQ(rows[0].labels, (std::vector<std::string>{"a", "b"}));
  EXPECT_EQ(read_clip_labels(folder.write("m.csv", "x;label;file\n1;a;z\n"), ';')[0].name, "z");
}

TEST(ClipLabels, SayWhatIsWrong) {
  const TemporaryFolder folder;
  const auto told = [&](const std::string& text) {
    const std::string path = folder.write("l.csv", text);
    return folder.error_of([&] { read_clip_labels(path); });
  };
  EXPECT_EQ(told("clip,labels\na,x\na,y\n"), "l.csv:3: clip 'a' is on line 2 already; keep one");
  EXPECT_EQ(told("clip,labels\na,x||y\n"), "l.csv:2: a label is empty in 'x||y'; write a|b");
  EXPECT_EQ(told("clip,labels\na,\n"), "l.csv:2: the labels is empty");
  EXPECT_EQ(told("name,labels\na,x\n"),
            "l.csv:1: columns 'clip' and 'labels' are needed (or 'item', 'file', 'recording', 'sequence'; 'label'); "
            "found 'name', 'labels'");
}

}  // namespace
}  // namespace motet::clip_labels_csv_test
