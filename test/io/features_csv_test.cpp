#include "motet/io/features_csv.h"

#include <sstream>

#include "io/support.h"
#include "support/cancelled.h"
#include "support/errors.h"

namespace motet::features_csv_test {
namespace {

using Names = std::vector<std::string>;
using Numbers = std::vector<double>;
using Starts = std::vector<std::size_t>;

const FileReader features_in{"x.csv", [](const std::string& path, const FeaturesFormat& format = {}) {
                               return read_features_csv(path, format, {});
                             }};

std::string written(const Features& features) {
  std::ostringstream out;
  CsvWriter csv(out);
  write_features_csv(csv, features);
  csv.finish();
  return out.str();
}

TEST(ReadFeaturesCsv, PlainNumbersAreOneSequenceWithoutTime) {
  const FeaturesFile read = features_in("a,b\n1,2\n+3,-4e-3\n5,6\n");
  EXPECT_EQ(read.features.columns, (Names{"a", "b"}));
  EXPECT_EQ(read.features.values, (Numbers{1, 2, 3, -0.004, 5, 6}));
  EXPECT_EQ(read.features.starts, (Starts{0, 3}));
  EXPECT_EQ(read.features.sequences, (Names{""}));
  EXPECT_TRUE(read.features.items.empty());
  EXPECT_EQ(read.features.clock, FrameClock{});
  EXPECT_TRUE(read.labels.empty());
  EXPECT_TRUE(read.warnings.empty());
}

TEST(ReadFeaturesCsv, ColumnsWithUsualNamesAreKnown) {
  const FeaturesFile read = features_in("sequence,item,time,x\na,p,0,1\na,q,0.25,2\na,r,0.5,3\nb,s,0,4\n");
  EXPECT_EQ(read.features.columns, (Names{"x"}));
  EXPECT_EQ(read.features.values, (Numbers{1, 2, 3, 4}));
  EXPECT_EQ(read.features.starts, (Starts{0, 3, 4}));
  EXPECT_EQ(read.features.sequences, (Names{"a", "b"}));
  EXPECT_EQ(read.features.items, (Names{"p", "q", "r", "s"}));
  EXPECT_EQ(read.features.clock, (FrameClock{0.25, 0.25}));
}

TEST(ReadFeaturesCsv, ColumnsByName) {
  FeaturesFormat format;
  format.delimiter = ';';
  format.sequence_column = "day";
  format.item_column = "id";
  format.labels = {"class", "other"};
  format.leave_out = {"note"};
  format.clock = {0.1, 0.25};
  const FeaturesFile read =
      features_in("id;class;x;note;day;other\n1;cat;5;?;mon;\n2;;6;;tue;u\n3;dog;7;;tue;u\n", format);
  EXPECT_EQ(read.features.columns, (Names{"x"}));
  EXPECT_EQ(read.features.sequences, (Names{"mon", "tue"}));
  EXPECT_EQ(read.features.starts, (Starts{0, 1, 3}));
  EXPECT_EQ(read.features.items, (Names{"1", "2", "3"}));
  EXPECT_EQ(read.features.clock, (FrameClock{0.1, 0.25}));
  EXPECT_EQ(read.labels,
            (std::vector<LabelColumn>{{"class", {"cat", "dog"}, {0, -1, 1}}, {"other", {"u"}, {-1, 0, 0}}}));
}

TEST(ReadFeaturesCsv, TimesThatWereRoundedStillMakeAClock) {
  const FeaturesFile read = features_in("time,x\n0,1\n0.033,1\n0.067,1\n0.1,1\n");
  EXPECT_NEAR(read.features.clock.hop, 0.1 / 3, 1e-12);
  EXPECT_TRUE(read.warnings.empty());
}

TEST(ReadFeaturesCsv, OddTimesAreTold) {
  const FeaturesFile uneven = features_in("time,x\n0,1\n1,1\n5,1\n");
  EXPECT_FALSE(uneven.features.clock.has_time());
  ASSERT_EQ(uneven.warnings.size(), 1U);
  EXPECT_TRUE(
      uneven.warnings[0].ends_with("x.csv: the times are not evenly spaced; rows are counted instead of seconds"));
  const FeaturesFile late = features_in("time,x\n7,1\n8,1\n9,1\n");
  EXPECT_EQ(late.features.clock.hop, 1.0);
  ASSERT_EQ(late.warnings.size(), 1U);
  EXPECT_TRUE(late.warnings[0].ends_with(
      "x.csv: the times do not start at 0; they are counted from the start of each sequence"));
}

TEST(ReadFeaturesCsv, WhatIsWrittenIsReadBack) {
  Features features;
  features.columns = {"x", "y,z"};
  features.values = {0.1, -1e300, 1.0 / 3.0, 5e-324, 7, 8};
  features.starts = {0, 2, 3};
  features.sequences = {"night \"1\".wav", "b"};
  features.items = {"i1", "i2", "i3"};
  features.clock = {0.1, 0.1};
  const std::string text = written(features);
  EXPECT_EQ(text,
            "sequence,item,time,x,\"y,z\"\n\"night \"\"1\"\".wav\",i1,0,0.1,-1e+300\n\"night "
            "\"\"1\"\".wav\",i2,0.1,0.3333333333333333,5e-324\nb,i3,0,7,8\n");
  const Features back = features_in(text).features;
  EXPECT_EQ(back.columns, features.columns);
  EXPECT_EQ(back.values, features.values);
  EXPECT_EQ(back.starts, features.starts);
  EXPECT_EQ(back.sequences, features.sequences);
  EXPECT_EQ(back.items, features.items);
  EXPECT_EQ(back.clock, features.clock);
}

TEST(ReadFeaturesCsv, ErrorsNameFileLineRowAndColumn) {
  features_in.expect_errors(
      {{"x,mfcc3\n1,2\n\n3,\n", "x.csv:4: row 2 column 'mfcc3' is empty; every feature needs a number"},
       {"x,y\n1,nan\n", "x.csv:2: row 1 column 'y' is 'nan'; every feature needs a finite number"},
       {"x,y\n1,-inf\n", "x.csv:2: row 1 column 'y' is '-inf'; every feature needs a finite number"},
       {"x,y\n1,1e999\n", "x.csv:2: row 1 column 'y' is '1e999'; every feature needs a finite number"},
       {"x,y\n1,dog\n",
        "x.csv:2: row 1 column 'y' is 'dog', which is no number; a column that holds text has to be left out or named "
        "as labels"},
       {"x,y\n1,2.5s\n",
        "x.csv:2: row 1 column 'y' is '2.5s', which is no number; a column that holds text has to be left out or named "
        "as labels"},
       {"x,y\n", "x.csv: there are no rows"},
       {"sequence,time\na,1\n", "x.csv:1: there is no column of features; found 'sequence', 'time'"},
       {"1,2\n3,4\n", "x.csv:1: found '1', '2'; the first line must be the header"},
       {"sequence,x\na,1\nb,2\na,3\n", "x.csv:4: sequence 'a' comes again after 'b'; its rows must follow one another"},
       {"item,x\na,1\na,2\n", "x.csv:3: item 'a' appears twice (first on line 2); keep one"},
       {"item,x\n,1\n", "x.csv:2: the item is empty"},
       {"time,x\n,1\n", "x.csv:2: row 1 column 'time' is empty; every feature needs a number"}});
  EXPECT_EQ(features_in.error("x,y\n1,2\n", FeaturesFormat{.labels = {"class"}}),
            "x.csv:1: there is no column 'class'; found 'x', 'y'");
  EXPECT_EQ(features_in.error("x,y\n1,2\n", FeaturesFormat{.labels = {"x"}, .leave_out = {"x"}}),
            "x.csv:1: column 'x' is named for two uses");
}

TEST(ReadFeaturesCsv, CanBeInterrupted) {
  const TemporaryFolder folder;
  folder.write("x.csv", "x\n1\n");
  EXPECT_EQ(folder.error_of([&] { read_features_csv(folder / "x.csv", {}, cancelled_run()); }, ErrorKind::interrupted),
            "interrupted while reading x.csv");
}

}  // namespace
}  // namespace motet::features_csv_test
