#include "motet/io/resampler.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "io/audio_support.h"

namespace motet::resampler_test {
namespace {

std::vector<float> resampled(const std::vector<float>& sound, double from, double to, std::size_t block) {
  Resampler resampler(from, to, 1);
  std::vector<float> found;
  const auto push = [&](std::vector<std::vector<float>> channels) {
    resampler.push(channels);
    found.insert(found.end(), channels[0].begin(), channels[0].end());
  };
  for (std::size_t first = 0; first < sound.size(); first += block) {
    const auto begin = sound.begin() + static_cast<std::ptrdiff_t>(first);
    push({{begin, begin + static_cast<std::ptrdiff_t>(std::min(block, sound.size() - first))}});
  }
  push({{}});
  return found;
}

TEST(Resampler, AToneStaysTheSameTone) {
  const std::vector<float> found = resampled(tone(44100, 1000.0 / 44100), 44100.0, 20480.0, 1000);
  EXPECT_NEAR(static_cast<double>(found.size()), 20480.0, 2.0);
  const std::vector<float> expected = tone(found.size(), 1000.0 / 20480);
  double worst = 0.0;
  for (std::size_t n = 500; n + 500 < found.size(); ++n) {
    worst = std::max(worst, std::abs(static_cast<double>(found[n]) - static_cast<double>(expected[n])));
  }
  EXPECT_LE(worst, 1e-5);  // 20 bits are 1e-6 of the whole range
}

TEST(Resampler, WhatTheNewRateCannotHoldIsGone) {
  const std::vector<float> found = resampled(tone(48000, 9000.0 / 48000), 48000.0, 16000.0, 4096);
  float loudest = 0.0F;
  for (std::size_t n = 500; n + 500 < found.size(); ++n) loudest = std::max(loudest, std::abs(found[n]));
  EXPECT_LE(loudest, 1e-4F);
}

TEST(Resampler, DoesNotDependOnTheBlocks) {
  const std::vector<float> sound = tone(30'000, 0.013);
  for (const double to : {8000.0, 22050.0, 96000.0}) {
    const std::vector<float> whole = resampled(sound, 44100.0, to, sound.size());
    EXPECT_NEAR(static_cast<double>(whole.size()), 30'000.0 * to / 44100.0, 2.0);
    for (const std::size_t block : {1U, 777U, 8192U}) EXPECT_EQ(resampled(sound, 44100.0, to, block), whole) << to;
  }
}

TEST(Resampler, ChannelsStayApart) {
  Resampler both(16000.0, 20480.0, 2);
  std::vector<std::vector<float>> channels = {tone(8000, 0.01), std::vector<float>(8000)};
  both.push(channels);
  std::vector<std::vector<float>> rest(2);
  both.push(rest);
  for (const auto& part : {channels, rest}) {
    EXPECT_EQ(part[0].size(), part[1].size());
    for (const float sample : part[1]) EXPECT_EQ(sample, 0.0F);
  }
}

TEST(Resampler, SilenceWithoutSamplesIsNothing) { EXPECT_TRUE(resampled({}, 44100.0, 8000.0, 100).empty()); }

}  // namespace
}  // namespace motet::resampler_test
