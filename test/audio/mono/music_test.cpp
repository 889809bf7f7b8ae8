#include "motet/audio/mono/music.h"

#include <cmath>

#include "audio/field_support.h"
#include "support/errors.h"

namespace motet::audio::music_test {
namespace {

constexpr FrameClock frames = {0.8, 0.8};
constexpr SoundShape mono = {20480.0, 1};

using MusicVectors = GoldenVectors;

TEST_F(MusicVectors, AllSeventeen) {
  expect_mono_rows([] { return music_stream({}, frames, mono); }, "MUSIC", 17);
}

// Two clicks per second: what 0.8 s cannot show, 6 s do.
TEST(Music, ContextHearsTheBeat) {
  Channels clicks(1, std::vector<float>(10 * 20480));
  for (std::size_t n = 0; n < clicks[0].size(); n += 10240) {
    for (std::size_t i = 0; i < 200; ++i) clicks[0][n + i] = 0.5F;
  }
  const FeatureStream stream = music_stream({.context = 6.0}, frames, mono);
  const std::vector<double> rows = rows_of_whole(stream, clicks);
  ASSERT_EQ(rows.size(), 12U * 17U);
  EXPECT_NEAR(rows[11 * 17 + 1], 0.5, 0.01);  // TACM
  EXPECT_EQ(stream.units[1], "s");
}

TEST(Music, SilenceHasNumbers) {
  for (const double value : rows_of_whole(music_stream({}, frames, mono), Channels(1, std::vector<float>(16384)))) {
    EXPECT_TRUE(std::isfinite(value));
  }
}

TEST(Music, SameBitsWhateverTheBlocks) {
  const Channels noise = noise_channels(1, 40'000);
  EXPECT_EQ(rows_of_whole(music_stream({.context = 1.0}, {0.1, 0.3}, mono), noise),
            rows_in_blocks(music_stream({.context = 1.0}, {0.1, 0.3}, mono), noise, 777));
}

TEST(Music, AWindowWithoutACurveIsRefused) {
  EXPECT_EQ(error_of(
                [] {
                  music_stream({}, {0.1, 0.02}, mono);
                },
                ErrorKind::usage),
            "a window of 0.02 s is too short for the set music; 0.03125 s or more are needed at 20480 Hz");
}

}  // namespace
}  // namespace motet::audio::music_test
