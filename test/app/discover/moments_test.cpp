#include "motet/app/discover/moments.h"

#include <gtest/gtest.h>

#include "motet/data/features.h"
#include "support/errors.h"

namespace motet::discover::moments_test {
namespace {

// A row per second; each recording named by when it began, or not.
Features hours(const std::vector<std::pair<std::string, std::size_t>>& recordings) {
  Features features;
  features.columns = {"x"};
  features.starts = {0};
  features.sequences.clear();
  for (const auto& [name, seconds] : recordings) {
    features.sequences.push_back(name);
    features.starts.push_back(features.starts.back() + seconds);
  }
  features.values.assign(features.starts.back(), 0.0);
  features.clock = {1.0, 1.0};
  return features;
}

std::size_t row(const Features& features, const std::string& item) {
  const auto found = row_at_time(features, item, item.rfind('@'));
  return found ? *found : static_cast<std::size_t>(-1);
}

std::string refused(const Features& features, const std::string& item) {
  return error_of([&] { row(features, item); }, ErrorKind::usage);
}

const std::string evening = "20260519_200000.wav";

TEST(RowAtTime, FromTheStart) {
  const Features features = hours({{"dawn.wav", 8000}});
  EXPECT_EQ(row(features, "dawn.wav@183.5"), 183U);
  EXPECT_EQ(row(features, "dawn.wav@3:03.5"), 183U);
  EXPECT_EQ(row(features, "dawn.wav@1:02:03.5"), 3723U);
  EXPECT_EQ(row(features, "dawn.wav@+1:02:03.5"), 3723U);
  EXPECT_EQ(row(features, "@120:00"), 7200U);
}

TEST(RowAtTime, ByTheClockOfTheRecorder) {
  const Features features = hours({{evening, 8000}});
  EXPECT_EQ(row(features, evening + "@20:01:12.5"), 72U);
  EXPECT_EQ(row(features, evening + "@T20:01:12.5"), 72U);
  EXPECT_EQ(row(features, evening + "@T20:01"), 60U);
  EXPECT_EQ(row(features, evening + "@2026-05-19T20:01:12.5"), 72U);
  EXPECT_EQ(row(features, evening + "@1:02:03.5"), 3723U);  // no time of day that the recording has
  EXPECT_EQ(row(features, evening + "@20:01.5"), 1201U);    // two numbers: minutes and seconds
}

TEST(RowAtTime, BehindMidnight) {
  const Features features = hours({{"20260519_235000.wav", 3600}});
  EXPECT_EQ(row(features, "@T00:10:00.5"), 1200U);
  EXPECT_EQ(row(features, "@2026-05-20T00:10:00.5"), 1200U);
  EXPECT_EQ(refused(features, "@2026-05-19T00:10:00"),
            "item '@2026-05-19T00:10:00' is not there; '20260519_235000.wav' ends at 3600 s, and its clock goes from "
            "2026-05-19T23:50:00 to 2026-05-20T00:50:00");
}

TEST(RowAtTime, TheClockTellsTheRecording) {
  const Features features = hours({{evening, 600}, {"20260519_201000.wav", 600}, {"b/20260519_201500.wav", 600}});
  EXPECT_EQ(row(features, "@20:03:00.5"), 180U);
  EXPECT_EQ(row(features, "@20:14:00.5"), 840U);
  EXPECT_EQ(refused(features, "@20:16:00"),
            "item '@20:16:00' may lie in '20260519_201000.wav' or 'b/20260519_201500.wav'; say which recording");
  EXPECT_EQ(refused(features, "@21:00:00"),
            "item '@21:00:00': the clock of no recording shows this time; say which one");
}

TEST(RowAtTime, ThatMayBeTwo) {
  const Features night = hours({{"20260519_003000.wav", 8000}});
  EXPECT_EQ(
      refused(night, "@1:02:03"),
      "item '@1:02:03' may be 1:02:03 from the start of '20260519_003000.wav' or the time of day, 1923 s from the "
      "start; say @+1:02:03 or @T1:02:03");
  EXPECT_EQ(row(night, "@+1:02:03.5"), 3723U);
  EXPECT_EQ(row(night, "@T1:02:03.5"), 1923U);
  const Features days = hours({{evening, 200'000}});
  EXPECT_EQ(refused(days, "@T21:00:00"),
            "item '@T21:00:00': the clock of '20260519_200000.wav' shows this time more than once; say the day, as in "
            "@2026-05-19T21:00:00");
  EXPECT_EQ(row(days, "@2026-05-20T21:00:00.5"), 90'000U);
}

TEST(RowAtTime, ThatIsNotThere) {
  const Features features = hours({{"dawn.wav", 100}});
  EXPECT_EQ(refused(features, "@3:03"), "item '@3:03' is not there; 'dawn.wav' ends at 100 s");
  EXPECT_EQ(refused(features, "@T04:31:12"),
            "item '@T04:31:12': the name of 'dawn.wav' does not say when it began; say the time from its start");
  EXPECT_EQ(refused(features, "@-1"), "item '@-1' is not there; 'dawn.wav' ends at 100 s");
  for (const std::string item : {"@soon", "@1:2:3:4", "@T25:00:00", "@5-19T04:00:00", "@", "@+", "@T", "@++3:00"}) {
    EXPECT_EQ(row(features, item), static_cast<std::size_t>(-1)) << item;
  }
  Features rows = features;
  rows.clock = {};
  EXPECT_EQ(row(rows, "@3"), static_cast<std::size_t>(-1));
}

TEST(ClockIn, IsOfRecordingsWhoseNameTellsIt) {
  EXPECT_EQ(clock_in("a/20260519_043000.wav", 72.5), "2026-05-19T04:31:12.500");
  EXPECT_EQ(clock_in("dawn.wav", 72.5), "");
}

}  // namespace
}  // namespace motet::discover::moments_test
