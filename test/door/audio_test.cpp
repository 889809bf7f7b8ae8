#include "motet/audio.h"

#include "app/discover/support.h"
#include "door/support.h"
#include "support/errors.h"

namespace motet::audio {
namespace {

class AudioDoor : public CommandTest {};

TEST_F(AudioDoor, GivesTheBytesOfTheCommandLine) {
  const std::string wav = discover::small_wav(2.0, 3);
  folder.write("r.wav", wav);
  ASSERT_EQ(motet("audio features @r.wav --out @f.csv --coefficients 5").code, 0);
  std::vector<float> samples;
  for (std::size_t at = 44; at + 1 < wav.size(); at += 2) {
    const auto low = static_cast<unsigned char>(wav[at]);
    samples.push_back(static_cast<float>(static_cast<std::int16_t>(low | (wav[at + 1] << 8))) / 32768.0F);
  }
  const FeatureTable table = mfcc(samples, 8000.0, {{"coefficients", 5}});
  EXPECT_EQ(table.columns.size(), 5U);
  EXPECT_EQ(table.hop, 0.1);
  EXPECT_EQ(table.window, 0.25);
  const auto lines = door::lines_of(folder / "f.csv");
  ASSERT_EQ(lines.size(), table.rows() + 1);
  const auto first = static_cast<std::size_t>(std::find(lines[0].begin(), lines[0].end(), "mfcc0") - lines[0].begin());
  for (std::size_t n = 0; n < table.rows(); ++n) {
    for (std::size_t c = 0; c < 5; ++c) EXPECT_EQ(lines[n + 1][first + c], to_text(table.values[n * 5 + c]));
  }
}

TEST_F(AudioDoor, SetsAndPresetsByName) {
  std::vector<float> left(8000);
  for (std::size_t n = 0; n < left.size(); ++n) left[n] = static_cast<float>(n % 97) / 97.0F;
  const std::vector<float> right(8000, 0.25F);
  const std::vector<std::span<const float>> channels = {left, right};
  const FeatureTable table =
      features(channels, 8000.0, {{"set", "log-mel"}, {"preset", "kaldi"}, {"each_channel", true}});
  EXPECT_EQ(table.columns.size(), 46U);
  EXPECT_EQ(table.columns[23], "mel0_2");
  EXPECT_EQ(table.hop, 0.01);
  EXPECT_EQ(table.rows(), 98U);
  const std::vector<std::span<const float>> one = {left};
  EXPECT_EQ(features(one, 8000.0, {{"coefficients", 5}}).values, mfcc(left, 8000.0, {{"coefficients", 5}}).values);
  EXPECT_EQ(feature_options()[0].name, "set");
  const std::vector<std::span<const float>> uneven = {left, std::span(right).first(5)};
  EXPECT_EQ(folder.error_of([&] { features(uneven, 8000.0); }), "features: channel: 5 values where there must be 8000");
  EXPECT_EQ(folder.error_of([] { features({}, 8000.0); }, ErrorKind::usage), "features: there is no channel");
}

TEST_F(AudioDoor, BadOptionsAreRefused) {
  EXPECT_EQ(folder.error_of(
                [] {
                  mfcc({}, 8000.0, {{"bands", 1}});
                },
                ErrorKind::usage),
            "--bands 1 is outside [2, 512]");
  EXPECT_EQ(mfcc_options()[1].name, "coefficients");
}

TEST_F(AudioDoor, MixesAtTheLevelAskedFor) {
  std::vector<float> under(100, 0.5F);
  const std::vector<float> over = {0.1F, -0.1F, 0.1F, -0.1F};
  const std::vector<std::span<const float>> sounds = {over};
  const std::vector<std::size_t> first = {10};
  const std::vector<float> mixed = mix(under, sounds, first, 0.5);
  ASSERT_EQ(mixed.size(), 100U);
  EXPECT_EQ(mixed[9], 0.5F);
  EXPECT_FLOAT_EQ(mixed[10], 0.75F);  // as strong as 0.5, times 0.5
  EXPECT_FLOAT_EQ(mixed[11], 0.25F);
  EXPECT_EQ(mixed[14], 0.5F);
  EXPECT_EQ(folder.error_of([&] { mix(under, sounds, {}, 1.0); }), "mix: places: 0 values where there must be 1");
  EXPECT_EQ(folder.error_of([&] { mix(under, sounds, first, -1.0); }, ErrorKind::usage), "mix: the gain is negative");
  const std::vector<std::size_t> late = {97};
  EXPECT_EQ(folder.error_of([&] { mix(under, sounds, late, 1.0); }).substr(0, 13), "foreground 1:");
}

}  // namespace
}  // namespace motet::audio
