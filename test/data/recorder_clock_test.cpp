#include "motet/data/recorder_clock.h"

#include <gtest/gtest.h>

namespace motet::recorder_clock_test {
namespace {

constexpr double half_past_four = 1779165000.0;  // 2026-05-19 04:30:00, by `date -u -d ... +%s`

TEST(ClockInName, AsRecordersWriteIt) {
  for (const char* const name :
       {"20260519_043000.wav", "2026-05-19T04-30-00.flac", "/far/away_20250101_000000/20260519_043000.WAV",
        "SMA00421_20260519_043000.wav", "NAME-20260519T043000Z.wav", "20260519043000.wav", "2026-05-19 04:30:00.ogg",
        "S4A_2026.05.19_04.30.00.wav", "20260519_043000T.WAV", "12_20260519_043000_20260519_050000.wav",
        "99999999_999999_20260519_043000.wav"}) {
    ASSERT_TRUE(clock_in_name(name).has_value()) << name;
    EXPECT_EQ(*clock_in_name(name), half_past_four) << name;
  }
  EXPECT_EQ(clock_in_name("19700101_000001.wav"), 1.0);
  EXPECT_EQ(clock_in_name("20240229_235959.wav"), 1709251199.0);
}

TEST(ClockInName, WhatIsNoTime) {
  for (const char* const name :
       {"", "dawn.wav", "20260519.wav", "20260519_0430.wav", "20260230_043000.wav", "20260519_243000.wav",
        "20260519_046000.wav", "20260519_0430001.wav", "120260519_043000.wav", "18991231_235959.wav",
        "2026-0519_043000.wav", "20260519_043000/dawn.wav", "20260519_04-3000.wav"}) {
    EXPECT_FALSE(clock_in_name(name).has_value()) << name;
  }
}

TEST(ClockText, HasMillisecondsWhereThereAreAny) {
  EXPECT_EQ(clock_text(half_past_four), "2026-05-19T04:30:00");
  EXPECT_EQ(clock_text(half_past_four + 72000.3), "2026-05-20T00:30:00.300");
  EXPECT_EQ(clock_text(half_past_four + 0.9996), "2026-05-19T04:30:01");
}

TEST(ClockSeconds, MinutesAndHours) {
  EXPECT_EQ(parse_clock_seconds("3:03"), 183.0);
  EXPECT_EQ(parse_clock_seconds("1:02:03.5"), 3723.5);
  EXPECT_EQ(parse_clock_seconds("183:20"), 11000.0);
  EXPECT_EQ(parse_clock_seconds("0:00"), 0.0);
  for (const char* const text : {"", "3", ":", "3:", ":3", "3:60", "1:60:00", "1:2:3:4", "-1:30", "1:3a", "1.5:30",
                                 "1:-3", "1:3.", "1:+3", "1:1e1", "1: 3"}) {
    EXPECT_FALSE(parse_clock_seconds(text).has_value()) << text;
  }
}

TEST(Date, IsADayOfTheCalendar) {
  EXPECT_EQ(parse_date("2026-05-19"), half_past_four - 16200.0);
  for (const char* const text : {"", "2026-5-19", "20260519", "2026-02-30", "2026-05-19x", "0000-01-01"}) {
    EXPECT_FALSE(parse_date(text).has_value()) << text;
  }
}

}  // namespace
}  // namespace motet::recorder_clock_test
