#include "motet/io/sound_file.h"

#include <fmt/format.h>

#include "io/audio_support.h"
#include "io/sound_support.h"
#include "io/support.h"

namespace motet::sound_file_test {
namespace {

Sound four_channels() {
  Sound sound{20480.0, {}};
  for (const double cycles : {0.01, 0.02, 0.03, 0.04}) sound.channels.push_back(tone(70'000, cycles, 1.5));
  return sound;
}

TEST(SoundFile, ThereAndBackWithoutClipping) {
  const TemporaryFolder folder;
  write_wav(folder / "x.wav", four_channels());
  const Sound found = sound_in(folder / "x.wav");
  EXPECT_EQ(found.sample_rate, 20480.0);
  EXPECT_EQ(found.channels, four_channels().channels);
  EXPECT_EQ(found.samples(), 70'000U);
}

TEST(SoundFile, TheSameSoundIsTheSameBytes) {
  const TemporaryFolder folder;
  write_wav(folder / "x.wav", four_channels());
  EXPECT_EQ(folder.read("x.wav").find("PEAK"), std::string::npos);  // which holds the time of day
  EXPECT_EQ(folder.file_count(), 1U);
}

TEST(SoundFile, OneChannelAtAnotherRate) {
  const TemporaryFolder folder;
  write_wav(folder / "x.wav", four_channels());
  std::vector<std::string> warnings;
  const Sound third = read_sound(folder / "x.wav", {3, 0.0}, warnings);
  ASSERT_EQ(third.channels.size(), 1U);
  EXPECT_EQ(third.channels[0], four_channels().channels[2]);
  const Sound slower = read_sound(folder / "x.wav", {0, 10240.0}, warnings);
  EXPECT_EQ(slower.sample_rate, 10240.0);
  EXPECT_EQ(slower.channels.size(), 4U);
  EXPECT_EQ(slower.samples(), 35'000U);
  const std::vector<float> expected = tone(35'000, 0.04, 1.5);  // two samples are one
  EXPECT_NEAR(slower.channels[1][20'000], expected[20'000], 1e-4);
  EXPECT_EQ(folder.error_of(
                [&] {
                  read_sound(folder / "x.wav", {5, 0.0}, warnings);
                },
                ErrorKind::usage),
            "x.wav: there is no channel 5; it has 4");
  EXPECT_TRUE(warnings.empty());
}

TEST(SoundFile, WhatIsMissingIsTold) {
  const TemporaryFolder folder;
  write_wav(folder / "x.wav", {8000.0, {tone(16'000, 0.01)}});
  folder.write("x.wav", folder.read("x.wav").substr(0, 32'000));
  std::vector<std::string> warnings;
  const Sound sound = read_sound(folder / "x.wav", {}, warnings);
  ASSERT_EQ(warnings.size(), 1U);
  EXPECT_EQ(folder.without_path(warnings[0]),
            fmt::format("x.wav: is cut short: {:.6g} s of the 2 s that its header promises are missing; what is there "
                        "was read",
                        2.0 - sound.seconds()));
}

TEST(SoundFile, AnEmptyRecordingIsRefused) {
  const TemporaryFolder folder;
  write_wav(folder / "x.wav", {8000.0, {{}}});
  EXPECT_EQ(folder.error_of([&] { sound_in(folder / "x.wav"); }), "x.wav: the recording is empty");
}

}  // namespace
}  // namespace motet::sound_file_test
