#include "motet/audio/feature_sets.h"

#include <gtest/gtest.h>

#include <cmath>

#include "audio/field_support.h"
#include "motet/base/error.h"
#include "support/errors.h"

namespace motet::audio::feature_sets_test {
namespace {

std::vector<float> sound_of(std::size_t samples, std::size_t period) {
  std::vector<float> sound(samples);
  for (std::size_t n = 0; n < samples; ++n) sound[n] = static_cast<float>(n % period) / 100.0F;
  return sound;
}

TEST(FeatureSets, AreKnownByName) {
  EXPECT_EQ(feature_set("mfcc").channels, 1U);
  EXPECT_EQ(feature_sets_in("mfcc").size(), 1U);
  EXPECT_TRUE(error_of([] { feature_set("mfc"); }, ErrorKind::usage).starts_with("--set: 'mfc' is not one of mfcc"));
  EXPECT_EQ(error_of([] { feature_sets_in("mfcc,mfcc"); }, ErrorKind::usage), "--set: mfcc is named twice");
}

TEST(FeatureSets, EverySetTellsNamesUnitsAndAClock) {
  for (const FeatureSet& set : feature_sets()) {
    SCOPED_TRACE(set.name);
    EXPECT_FALSE(set.help.empty());
    FeatureOptions options;
    options.mfcc.hop = set.frames.hop;
    options.mfcc.window = set.frames.window;
    const FeatureStream stream = set.make(options, {20480.0, 4});
    EXPECT_FALSE(stream.columns.empty());
    EXPECT_EQ(stream.columns.size(), stream.units.size());
    EXPECT_TRUE(stream.clock.has_time());
  }
}

TEST(FeatureSets, EverySetGivesTheSameRowsWhateverTheBlocks) {
  const std::vector<std::vector<float>> channels = {sound_of(50'000, 97), sound_of(50'000, 89), sound_of(50'000, 71),
                                                    sound_of(50'000, 61), sound_of(50'000, 53)};
  for (const FeatureSet& set : feature_sets()) {
    SCOPED_TRACE(set.name);
    const auto rows_with = [&](std::size_t block) {
      FeatureOptions options;
      options.mfcc.hop = set.frames.hop;
      options.mfcc.window = set.frames.window;
      const FeatureStream stream = joined_stream({&set}, options, {20480.0, 4});
      std::vector<double> rows = rows_in_blocks(stream, channels, block);
      EXPECT_EQ(rows.size() % stream.columns.size(), 0U);
      return rows;
    };
    const std::vector<double> whole = rows_with(channels[0].size());
    EXPECT_FALSE(whole.empty());
    for (const std::size_t block : {777U, 4096U}) EXPECT_EQ(rows_with(block), whole);
  }
}

// A row per sample of the sound that is pushed: the sum over its channels.
FeatureStream sums_stream(const FeatureOptions&, const SoundShape& sound) {
  FeatureStream stream;
  stream.columns = {"sum"};
  stream.units = {std::to_string(sound.channels)};
  stream.clock = {0.1, 0.25};
  stream.push = [](std::span<const std::span<const float>> channels, std::vector<double>& rows) {
    for (std::size_t n = 0; n < channels[0].size(); ++n) {
      double sum = 0.0;
      for (const std::span<const float> channel : channels) sum += static_cast<double>(channel[n]);
      rows.push_back(sum);
    }
  };
  stream.finish = [](std::vector<double>&) {};
  return stream;
}

constexpr FeatureSet of_one{"one", "the channel", 1, {0.1, 0.25}, sums_stream};
constexpr FeatureSet of_two{"two", "both channels", 2, {0.1, 0.25}, sums_stream};

std::vector<double> rows_of_sums(const FeatureStream& stream) {
  const std::vector<float> mean = {1, 2};
  const std::vector<float> left = {10, 20};
  const std::vector<float> right = {100, 200};
  const std::vector<std::span<const float>> channels = {mean, left, right};
  std::vector<double> rows;
  stream.push(channels, rows);
  stream.finish(rows);
  return rows;
}

TEST(JoinedSets, TakeTheChannelsTheyNeed) {
  const FeatureStream joined = joined_stream({&of_one, &of_two}, {}, {8000.0, 2});
  EXPECT_EQ(joined.columns, (std::vector<std::string>{"sum", "sum"}));
  EXPECT_EQ(rows_of_sums(joined), (std::vector<double>{1, 110, 2, 220}));
  EXPECT_EQ(rows_of_sums(joined_stream({&of_two}, {}, {8000.0, 2})), (std::vector<double>{110, 220}));
  EXPECT_EQ(error_of(
                [] {
                  joined_stream({&of_two}, {}, {8000.0, 1});
                },
                ErrorKind::usage),
            "--set two: needs 2 channels; the recording has 1");
}

TEST(JoinedSets, OrEveryChannelByItself) {
  FeatureOptions options;
  options.each_channel = true;
  EXPECT_TRUE(needs_all_channels(options));
  const FeatureStream joined = joined_stream({&of_one, &of_two}, options, {8000.0, 2});
  EXPECT_EQ(joined.columns, (std::vector<std::string>{"sum_1", "sum_2", "sum"}));
  EXPECT_EQ(rows_of_sums(joined), (std::vector<double>{10, 100, 110, 20, 200, 220}));
}

TEST(JoinedSets, NeedOneClock) {
  FeatureSet other = of_one;
  other.make = [](const FeatureOptions& options, const SoundShape& sound) {
    FeatureStream stream = sums_stream(options, sound);
    stream.clock = {0.8, 0.8};
    return stream;
  };
  other.name = "other";
  EXPECT_EQ(
      error_of(
          [&] {
            joined_stream({&of_one, &other}, {}, {8000.0, 2});
          },
          ErrorKind::usage),
      "--set: rows of one cover 0.25 s every 0.1 s, those of other 0.8 s every 0.8 s; sets that are joined need one "
      "window and hop");
}

TEST(JoinedSets, HaveTheWindowThatIsUsualForTheLongest) {
  const auto nothing = [](std::string_view) { return false; };
  FeatureOptions options;
  options.mfcc.window = 3.0;
  EXPECT_EQ(settled(options, nothing).mfcc.window, 0.25);
  EXPECT_EQ(settled(options, [](std::string_view name) { return name == "window"; }).mfcc.window, 3.0);
  options.preset = Preset::kaldi;
  EXPECT_EQ(settled(options, nothing).mfcc.window, 0.025);
}

}  // namespace
}  // namespace motet::audio::feature_sets_test
