#include "motet/audio/row_steps.h"

#include <gtest/gtest.h>

#include <cmath>

namespace motet::audio::row_steps_test {
namespace {

// A row per sample: the sample and its negative.
FeatureStream plain_rows() {
  FeatureStream rows;
  rows.columns = {"a", "b"};
  rows.units = {"dB", "1"};
  rows.clock = {0.5, 0.75};
  rows.push = [](std::span<const std::span<const float>> channels, std::vector<double>& to) {
    for (const float sample : channels[0])
      to.insert(to.end(), {static_cast<double>(sample), -static_cast<double>(sample)});
  };
  rows.finish = [](std::vector<double>&) {};
  return rows;
}

std::vector<double> rows_of(FeatureStream stream, const std::vector<float>& sound, std::size_t block = 1000) {
  std::vector<double> rows;
  for (std::size_t first = 0; first < sound.size(); first += block) {
    const std::vector<std::span<const float>> part = {
        std::span(sound).subspan(first, std::min(block, sound.size() - first))};
    stream.push(part, rows);
  }
  stream.finish(rows);
  return rows;
}

TEST(Deltas, AreSlopesWithTheEndsHeld) {
  const FeatureStream stream = with_deltas(plain_rows(), 1, 2);
  EXPECT_EQ(stream.columns, (std::vector<std::string>{"a", "b", "delta_a", "delta_b"}));
  EXPECT_EQ(stream.units, (std::vector<std::string>{"dB", "1", "dB per row", "1 per row"}));
  EXPECT_EQ(stream.clock, (FrameClock{0.5, 0.75}));
  const std::vector<double> rows = rows_of(stream, {1, 4, 9, 16, 25, 36});
  ASSERT_EQ(rows.size(), 24U);
  EXPECT_DOUBLE_EQ(rows[2], ((4.0 - 1.0) + 2.0 * (9.0 - 1.0)) / 10.0);
  EXPECT_DOUBLE_EQ(rows[4 + 2], ((9.0 - 1.0) + 2.0 * (16.0 - 1.0)) / 10.0);
  EXPECT_DOUBLE_EQ(rows[8 + 2], ((16.0 - 4.0) + 2.0 * (25.0 - 1.0)) / 10.0);
  EXPECT_DOUBLE_EQ(rows[20 + 2], ((36.0 - 25.0) + 2.0 * (36.0 - 16.0)) / 10.0);
  for (std::size_t i = 0; i < 6; ++i) EXPECT_EQ(rows[4 * i + 3], -rows[4 * i + 2]);
}

TEST(Deltas, OfDeltasAreThoseOfTheFirst) {
  const std::vector<float> sound = {1, 5, 2, 8, 3, 3, 7, 1};
  const FeatureStream stream = with_deltas(plain_rows(), 2, 1);
  EXPECT_EQ(stream.columns, (std::vector<std::string>{"a", "b", "delta_a", "delta_b", "delta2_a", "delta2_b"}));
  EXPECT_EQ(stream.units[4], "dB per row per row");
  const std::vector<double> rows = rows_of(stream, sound);
  ASSERT_EQ(rows.size(), 6 * sound.size());
  const auto first = [&](std::size_t row) { return rows[6 * std::min(row, sound.size() - 1) + 2]; };
  for (std::size_t t = 0; t < sound.size(); ++t) {
    EXPECT_EQ(rows[6 * t], static_cast<double>(sound[t]));
    EXPECT_DOUBLE_EQ(rows[6 * t + 4], (first(t + 1) - first(t == 0 ? 0 : t - 1)) / 2.0);
  }
}

TEST(Pool, IsTheMeanAndTheDeviationOfSomeRows) {
  const FeatureStream stream = pooled(plain_rows(), Pool::mean_sd, 3);
  EXPECT_EQ(stream.columns, (std::vector<std::string>{"a_mean", "b_mean", "a_sd", "b_sd"}));
  EXPECT_EQ(stream.clock, (FrameClock{1.5, 1.75}));
  const std::vector<double> rows = rows_of(stream, {1, 2, 6, 4, 4, 4, 9, 9});
  ASSERT_EQ(rows.size(), 8U);
  EXPECT_DOUBLE_EQ(rows[0], 3.0);
  EXPECT_DOUBLE_EQ(rows[1], -3.0);
  EXPECT_DOUBLE_EQ(rows[2], std::sqrt(14.0 / 3.0));
  EXPECT_EQ(rows[4], 4.0);
  EXPECT_EQ(rows[6], 0.0);
}

TEST(Pool, OfAllRowsHasNoTime) {
  const FeatureStream stream = pooled(plain_rows(), Pool::mean, 0);
  EXPECT_EQ(stream.columns, (std::vector<std::string>{"a_mean", "b_mean"}));
  EXPECT_FALSE(stream.clock.has_time());
  EXPECT_EQ(rows_of(stream, {1, 2, 3, 6}), (std::vector<double>{3.0, -3.0}));
  EXPECT_TRUE(rows_of(pooled(plain_rows(), Pool::mean, 0), {}).empty());
}

TEST(RowSteps, DoNotDependOnTheBlocks) {
  std::vector<float> sound(100);
  for (std::size_t n = 0; n < sound.size(); ++n) sound[n] = static_cast<float>((n * n) % 17);
  for (const RowOptions& options : {RowOptions{}, RowOptions{.deltas = 2, .delta_window = 4},
                                    RowOptions{.deltas = 1, .pool = Pool::mean_sd, .pool_rows = 7}}) {
    const std::vector<double> whole = rows_of(with_row_steps(plain_rows(), options), sound);
    for (const std::size_t block : {1U, 3U, 50U}) {
      EXPECT_EQ(rows_of(with_row_steps(plain_rows(), options), sound, block), whole);
    }
  }
}

}  // namespace
}  // namespace motet::audio::row_steps_test
