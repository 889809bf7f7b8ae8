#include "motet/app/discover/row_labels.h"

#include <gtest/gtest.h>

#include "io/support.h"
#include "support/errors.h"

namespace motet::discover::row_labels_test {
namespace {

Features two_recordings() {
  Features features;
  features.columns = {"x"};
  features.values = {1, 2, 3, 4, 5};
  features.starts = {0, 3, 5};
  features.sequences = {"a.wav", "b.wav"};
  features.clock = {0.1, 0.25};
  return features;
}

TEST(RowLabels, EachRowHasTheLabelOfItsTime) {
  const TemporaryFolder folder;
  const std::string path = folder.write("t.csv",
                                        "sequence,time,label\na.wav,0,background\na.wav,0.1,song\na.wav,0.2,call|song\n"
                                        "b.wav,0,song\n");
  EXPECT_TRUE(has_row_labels(path));
  const TimeLabels found = read_row_labels(path, two_recordings());
  EXPECT_EQ(found.truth.classes, (std::vector<std::string>{"background", "song", "call"}));
  EXPECT_EQ(found.truth.of_row, (std::vector<std::uint32_t>{0, 1, 2, 1, 0}));
  ASSERT_EQ(found.warnings.size(), 1U);
  EXPECT_EQ(folder.without_path(found.warnings[0]), "t.csv: 1 rows behind its last one are taken for background");
}

TEST(RowLabels, OtherTablesAreTracks) {
  const TemporaryFolder folder;
  EXPECT_FALSE(has_row_labels(folder.write("s.csv", "sequence,begin,end,label\na.wav,0,1,x\n")));
  EXPECT_FALSE(has_row_labels(folder.write("s.txt", "time\tlabel\n")));
}

TEST(RowLabels, Errors) {
  const TemporaryFolder folder;
  const auto error = [&](const std::string& text) {
    return folder.error_of([&] { read_row_labels(folder.write("t.csv", text), two_recordings()); });
  };
  EXPECT_EQ(error("sequence,time,label\na.wav,0,x\na.wav,0.15,x\nb.wav,0.1,x\n"),
            "t.csv: has no label of the row at 0.1 s of 'a.wav'; give both the same --window and --hop");
  EXPECT_EQ(error("time,label\n0,x\n"),
            "t.csv:2: does not say which of the 2 recordings it is of; a column 'sequence' does");
  folder.write("t.csv", "sequence,time,label\nc.wav,0,x\n");
  EXPECT_EQ(folder.error_of([&] { read_row_labels(folder / "t.csv", two_recordings()); }, ErrorKind::usage),
            "t.csv:2: recording 'c.wav' is not in the project; it has 'a.wav', 'b.wav'");
  EXPECT_EQ(error("sequence,time,label\na.wav,soon,x\n"), "t.csv:2: column 'time': 'soon' is not a finite number");
}

}  // namespace
}  // namespace motet::discover::row_labels_test
