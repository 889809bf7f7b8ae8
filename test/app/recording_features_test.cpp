#include "motet/app/recording_features.h"

#include "io/audio_support.h"
#include "io/support.h"

namespace motet::recording_features_test {
namespace {

constexpr int rate = 8000;
constexpr int plain_wav = SF_FORMAT_WAV | SF_FORMAT_PCM_16;

TEST(RecordingFeatures, OneSequenceNamedAfterTheFile) {
  const TemporaryFolder folder;
  ASSERT_TRUE(write_sound(folder / "night 1.wav", plain_wav, rate, 1, tone(10 * rate, 0.1)));
  const RecordingFeatures found = recording_features(folder / "night 1.wav", {}, {}, {});
  EXPECT_EQ(found.seconds, 10.0);
  EXPECT_EQ(found.features.rows(), 98U);
  EXPECT_EQ(found.features.dimensions(), 13U);
  EXPECT_EQ(found.features.sequences, (std::vector<std::string>{"night 1.wav"}));
  EXPECT_EQ(found.features.clock, (FrameClock{0.1, 0.25}));
  EXPECT_TRUE(found.warnings.empty());
}

TEST(RecordingFeatures, AChannelOfItsOwn) {
  const TemporaryFolder folder;
  const std::vector<float> left = tone(rate, 0.1);
  std::vector<float> both;
  for (const float sample : left) both.insert(both.end(), {sample, 0.0F});
  ASSERT_TRUE(write_sound(folder / "one.wav", plain_wav, rate, 1, left));
  ASSERT_TRUE(write_sound(folder / "two.wav", plain_wav, rate, 2, both));
  EXPECT_EQ(recording_features(folder / "two.wav", {}, 1, {}).features.values,
            recording_features(folder / "one.wav", {}, {}, {}).features.values);
}

TEST(RecordingFeatures, ARecordingCutShortGivesWhatIsThere) {
  const TemporaryFolder folder;
  ASSERT_TRUE(write_sound(folder / "x.wav", plain_wav, rate, 1, tone(4 * rate, 0.1)));
  const std::string bytes = folder.read("x.wav");
  folder.write("x.wav", bytes.substr(0, bytes.size() - 2 * rate));
  const RecordingFeatures found = recording_features(folder / "x.wav", {}, {}, {});
  EXPECT_EQ(found.seconds, 3.0);
  EXPECT_EQ(found.features.rows(), 28U);
  ASSERT_EQ(found.warnings.size(), 1U);
  EXPECT_EQ(folder.without_path(found.warnings[0]),
            "x.wav: is cut short: 1 s of the 4 s that its header promises are missing; what is there was read");
}

TEST(RecordingFeatures, TellsHowFarItIsAndCanBeInterrupted) {
  const TemporaryFolder folder;
  ASSERT_TRUE(write_sound(folder / "x.wav", plain_wav, rate, 1, tone(100 * rate, 0.1)));
  RunContext run;
  std::vector<std::string> told;
  run.observer = [&](const Progress& progress) {
    told.push_back(folder.without_path(std::string(progress.stage)) + " " + std::string(progress.unit));
  };
  recording_features(folder / "x.wav", {}, {}, run);
  EXPECT_EQ(told, (std::vector<std::string>(2, "hearing x.wav minutes")));
  CancelFlag cancel;
  cancel.set(2);
  run.cancel = &cancel;
  EXPECT_EQ(folder.error_of([&] { recording_features(folder / "x.wav", {}, {}, run); }, ErrorKind::interrupted),
            "interrupted while hearing x.wav");
}

TEST(RecordingFeatures, Errors) {
  const TemporaryFolder folder;
  ASSERT_TRUE(write_sound(folder / "empty.wav", plain_wav, rate, 1, {}));
  EXPECT_EQ(folder.error_of([&] { recording_features(folder / "empty.wav", {}, {}, {}); }),
            "empty.wav: the recording is empty");
  ASSERT_TRUE(write_sound(folder / "short.wav", plain_wav, rate, 1, tone(1000, 0.1)));
  EXPECT_EQ(folder.error_of([&] { recording_features(folder / "short.wav", {}, {}, {}); }),
            "short.wav: 0.125 s are shorter than the window of 0.25 s");
  audio::MfccOptions options;
  options.high_hz = 5000.0;
  EXPECT_EQ(folder.error_of([&] { recording_features(folder / "short.wav", options, {}, {}); }, ErrorKind::usage),
            "short.wav: bands from low_hz = 0 to high_hz = 5000 do not fit 8000 Hz; low < high <= 4000 is needed");
}

}  // namespace
}  // namespace motet::recording_features_test
