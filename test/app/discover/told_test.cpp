#include "motet/app/discover/told.h"

#include <gtest/gtest.h>

#include <cmath>

#include "app/discover/support.h"
#include "support/errors.h"

namespace motet::discover::told_test {
namespace {

class DiscoverItems : public DiscoverCommand {};

TEST_F(DiscoverItems, ItemsAreFoundByRowByTimeAndByName) {
  start();
  EXPECT_EQ(first_line(discover({"label", "@p.motet", "#7", "--nothing"})),
            "answer 1 is on the disk: item 7 (0.6 s to 0.7 s of one) is nothing");
  EXPECT_EQ(first_line(discover({"label", "@p.motet", "two@3.46", "owl"})),
            "answer 2 is on the disk: item 155 (3.4 s to 3.5 s of two) is 'owl', a new class");
  folder.write("named.csv", "item,a\nfirst,1\nsecond,2\n@3,2.5\n#2,1\nx,9\ny,8\nz,1.25\n");
  folder.write("more.csv", "item,a\nthird,1\nsecond,2\n");
  ASSERT_EQ(discover({"start", "@n.motet", "@named.csv", "--radius", "1", "--components", "2"}).code, 0);
  ASSERT_EQ(discover({"add", "@n.motet", "@more.csv"}).code, 0);
  EXPECT_EQ(first_line(discover({"label", "@n.motet", "first", "--nothing"})),
            "answer 2 is on the disk: item first (row 1 of named.csv) is nothing");
  EXPECT_EQ(first_line(discover({"label", "@n.motet", "#2", "c"})),
            "answer 3 is on the disk: item #2 (row 4 of named.csv) is 'c', a new class");
  expect_error({"discover", "label", "@n.motet", "second", "c"}, 2,
               "n.motet: item 'second' is there more than once; say #2 or #9, the number of its row");
  EXPECT_EQ(first_line(discover({"label", "@n.motet", "#9", "c"})),
            "answer 4 is on the disk: item second (row 2 of more.csv) is 'c'");
  expect_error({"discover", "label", "@n.motet", "5", "c"}, 2,
               "n.motet: item '5' is not there; items are named as in the data, or #1 to #9");
}

TEST_F(DiscoverItems, ItemsThatAreNotThere) {
  start();
  const std::string range = " is not there; items are 1 to 240, or RECORDING@SECONDS";
  expect_refused({"label", "@p.motet", "241", "x"}, 2, "p.motet: item '241'" + range);
  expect_refused({"label", "@p.motet", "0", "x"}, 2, "p.motet: item '0'" + range);
  expect_refused({"label", "@p.motet", "first", "x"}, 2, "p.motet: item 'first'" + range);
  expect_refused({"label", "@p.motet", "one@soon", "x"}, 2, "p.motet: item 'one@soon'" + range);
  expect_refused({"label", "@p.motet", "one@12.5", "x"}, 2,
                 "p.motet: item 'one@12.5' is not there; 'one' ends at 12 s");
  expect_refused({"label", "@p.motet", "six@2", "x"}, 2,
                 "p.motet: recording 'six' is not in the project; it has 'one', 'two'");
  EXPECT_TRUE(discover({"export", "@p.motet", "--format", "json"}).json().at("answers").as_list().empty());
}

// Two recordings of the same name, of three and of two frames; a frame of 0.25 s every 0.1 s.
Features two_dawns() {
  Features features;
  features.columns = {"x"};
  features.values.assign(5, 0.0);
  features.starts = {0, 3, 5};
  features.sequences = {"a/dawn.wav", "b/dawn.wav"};
  features.clock = {0.1, 0.25};
  return features;
}

std::string refused(const Features& features, const std::string& item) {
  const TemporaryFolder folder;
  return folder.error_of([&] { row_of(features, item); }, ErrorKind::usage);
}

TEST(RecordingOf, TakesTheEndOfAPathThatTellsItApart) {
  const TemporaryFolder folder;
  const Features features = two_dawns();
  EXPECT_EQ(recording_of(features, "a/dawn.wav"), 0U);
  EXPECT_EQ(recording_of(features, "b/dawn.wav"), 1U);
  EXPECT_EQ(recording_of(features, "/field/b/dawn.wav"), 1U);
  const auto error = [&](const std::string& name) {
    return folder.error_of([&] { recording_of(features, name); }, ErrorKind::usage);
  };
  EXPECT_EQ(error("dawn.wav"), "recording 'dawn.wav' may be 'a/dawn.wav' or 'b/dawn.wav'; say more of its path");
  const std::string has = "is not in the project; it has 'a/dawn.wav', 'b/dawn.wav'";
  EXPECT_EQ(error(""), "recording '' " + has);
  EXPECT_EQ(error("wav"), "recording 'wav' " + has);  // no whole name of a folder or file
  Features one = features;
  one.sequences[1] = "b/noon.wav";
  EXPECT_EQ(recording_of(one, "dawn.wav"), 0U);
}

TEST(RowOf, ATimeIsInTheFrameWhoseMiddleIsNearest) {
  const Features features = two_dawns();
  for (std::size_t s = 0; s < 2; ++s) {
    const std::size_t rows = features.starts[s + 1] - features.starts[s];
    const int last = static_cast<int>(std::lround(100.0 * features.clock.end(rows - 1)));
    for (int centiseconds = 1; centiseconds <= last; centiseconds += 3) {  // never between two middles
      const double seconds = centiseconds / 100.0;
      std::size_t nearest = 0;
      for (std::size_t row = 1; row < rows; ++row) {
        const auto distance = [&](std::size_t r) {
          return std::abs(0.5 * (features.clock.begin(r) + features.clock.end(r)) - seconds);
        };
        if (distance(row) < distance(nearest)) nearest = row;
      }
      EXPECT_EQ(row_of(features, features.sequences[s] + "@" + to_text(seconds)), features.starts[s] + nearest)
          << seconds;
    }
  }
  EXPECT_EQ(refused(features, "b/dawn.wav@0.36"), "item 'b/dawn.wav@0.36' is not there; 'b/dawn.wav' ends at 0.35 s");
  EXPECT_EQ(refused(features, "b/dawn.wav@-1"), "item 'b/dawn.wav@-1' is not there; 'b/dawn.wav' ends at 0.35 s");
}

TEST(RowOf, ANumberIsThatOfARowFromOne) {
  Features features = two_dawns();
  EXPECT_EQ(row_of(features, "1"), 0U);
  EXPECT_EQ(row_of(features, "#5"), 4U);
  EXPECT_EQ(refused(features, "#6"), "item '#6' is not there; items are 1 to 5, or RECORDING@SECONDS");
  features.clock = {};
  EXPECT_EQ(refused(features, "a/dawn.wav@0.1"), "item 'a/dawn.wav@0.1' is not there; items are 1 to 5");
}

TEST(ToldItem, IsFoundAgainByWhatIsTold) {
  Features features = two_dawns();
  const ToldItem last = told_item(features, 4);
  EXPECT_EQ(last.item, "5");
  EXPECT_EQ(last.recording, "b/dawn.wav");
  EXPECT_EQ(last.row_of_recording, 1U);
  EXPECT_EQ(last.begin, 0.1);
  EXPECT_EQ(last.end, 0.35);
  for (std::size_t row = 0; row < 5; ++row) EXPECT_EQ(row_of(features, told_item(features, row).item), row);
  features.clock = {};
  EXPECT_FALSE(told_item(features, 4).has_time);
}

TEST_F(DiscoverItems, EachStrategySaysWhyItAsks) {
  folder.write("d.csv", small_table());
  const auto why_of = [&](const std::string& strategy) {
    const std::string name = "@" + strategy + ".motet";
    EXPECT_EQ(discover({"start", name, "@d.csv", "--radius", "5", "--components", "2", "--strategy", strategy}).code,
              0);
    return next_of(name).at("items").as_list().at(0);
  };
  EXPECT_EQ(why_of("random").at("why").as_text(), "chosen at random");
  EXPECT_EQ(why_of("nndm").at("why").as_text(), "the density of rows changes here");
  // What nobody has named yet is taken for background.
  const Value odd = why_of("temporal");
  EXPECT_EQ(odd.at("why").as_text(),
            "least like the rest of component " + to_text(odd.at("component").as_number()) + " (background)");
}

}  // namespace
}  // namespace motet::discover::told_test
