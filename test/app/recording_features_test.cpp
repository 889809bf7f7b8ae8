#include "motet/app/recording_features.h"

#include <algorithm>

#include "io/audio_support.h"
#include "io/support.h"
#include "support/cancelled.h"
#include "support/errors.h"

namespace motet::recording_features_test {
namespace {

constexpr int rate = 8000;
constexpr int plain_wav = SF_FORMAT_WAV | SF_FORMAT_PCM_16;

TEST(RecordingFeatures, OneSequenceNamedAfterTheFile) {
  const TemporaryFolder folder;
  ASSERT_TRUE(write_sound(folder / "night 1.wav", plain_wav, rate, 1, tone(10 * rate, 0.1)));
  const RecordingFeatures found = recording_features(folder / "night 1.wav", {}, {});
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
  RecordingOptions first;
  first.channel = 1;
  EXPECT_EQ(recording_features(folder / "two.wav", first, {}).features.values,
            recording_features(folder / "one.wav", {}, {}).features.values);
}

TEST(RecordingFeatures, ARecordingCutShortGivesWhatIsThere) {
  const TemporaryFolder folder;
  ASSERT_TRUE(write_sound(folder / "x.wav", plain_wav, rate, 1, tone(4 * rate, 0.1)));
  const std::string bytes = folder.read("x.wav");
  folder.write("x.wav", bytes.substr(0, bytes.size() - 2 * rate));
  const RecordingFeatures found = recording_features(folder / "x.wav", {}, {});
  EXPECT_EQ(found.seconds, 3.0);
  EXPECT_EQ(found.features.rows(), 28U);
  ASSERT_EQ(found.warnings.size(), 1U);
  EXPECT_EQ(folder.without_path(found.warnings[0]),
            "x.wav: is cut short: 1 s of the 4 s that its header promises are missing; what is there was read");
}

TEST(RecordingFeatures, ChannelsThatCancelAreTold) {
  const TemporaryFolder folder;
  const auto warnings_of = [&](float right, std::size_t channel = 0) {
    std::vector<float> both;
    for (const float sample : tone(rate, 0.1)) both.insert(both.end(), {sample, right * sample});
    EXPECT_TRUE(write_sound(folder / "x.wav", plain_wav, rate, 2, both));
    RecordingOptions options;
    options.channel = channel;
    return recording_features(folder / "x.wav", options, {}).warnings;
  };
  ASSERT_EQ(warnings_of(-0.9F).size(), 1U);
  EXPECT_EQ(folder.without_path(warnings_of(-0.9F)[0]),
            "x.wav: its channels cancel each other: their mean has 0.28 % of their power; hear one of them with "
            "--channel 1");
  EXPECT_TRUE(warnings_of(-0.9F, 1).empty());
  EXPECT_TRUE(warnings_of(0.9F).empty());
  EXPECT_TRUE(warnings_of(0.0F).empty());
}

TEST(RecordingFeatures, BandsWithoutALineAreTold) {
  const TemporaryFolder folder;
  ASSERT_TRUE(write_sound(folder / "x.wav", plain_wav, rate, 1, tone(rate, 0.1)));
  RecordingOptions options;
  options.features.mfcc.window = 0.02;
  options.features.mfcc.bands = 200;
  options.features.rows.deltas = 1;
  const RecordingFeatures found = recording_features(folder / "x.wav", options, {});
  ASSERT_EQ(found.warnings.size(), 1U);
  EXPECT_EQ(folder.without_path(found.warnings[0]),
            "x.wav: --set mfcc: 25 of 200 mel bands hold no line of the spectrum and are always silent; fewer --bands "
            "or a longer --window would fill them");
  EXPECT_EQ(found.sample_rate, 8000.0);
}

TEST(RecordingFeatures, TellsHowFarItIsAndCanBeInterrupted) {
  const TemporaryFolder folder;
  ASSERT_TRUE(write_sound(folder / "x.wav", plain_wav, rate, 1, tone(100 * rate, 0.1)));
  RunContext run;
  std::vector<std::string> told;
  run.observer = [&](const Progress& progress) {
    told.push_back(folder.without_path(std::string(progress.stage)) + " " + std::string(progress.unit));
  };
  recording_features(folder / "x.wav", {}, run);
  EXPECT_EQ(told, (std::vector<std::string>(2, "hearing x.wav minutes")));
  EXPECT_EQ(folder.error_of([&] { recording_features(folder / "x.wav", {}, cancelled_run()); }, ErrorKind::interrupted),
            "interrupted while hearing x.wav");
}

TEST(RecordingFeatures, AtAnotherRate) {
  const TemporaryFolder folder;
  ASSERT_TRUE(write_sound(folder / "x.wav", plain_wav, 44100, 1, tone(44100, 440.0 / 44100)));
  ASSERT_TRUE(write_sound(folder / "y.wav", plain_wav, 16000, 1, tone(16000, 440.0 / 16000)));
  RecordingOptions options;
  options.rate = 16000.0;
  options.features.set = "log-mel";
  const Features brought = recording_features(folder / "x.wav", options, {}).features;
  const Features direct = recording_features(folder / "y.wav", options, {}).features;
  ASSERT_EQ(brought.rows(), direct.rows());
  for (std::size_t n = 1; n + 1 < direct.rows(); ++n) {  // the band of the tone; others hold what rounding left
    const auto loudest = std::max_element(direct.row(n).begin(), direct.row(n).end()) - direct.row(n).begin();
    EXPECT_NEAR(brought.row(n)[static_cast<std::size_t>(loudest)], direct.row(n)[static_cast<std::size_t>(loudest)],
                0.01);
  }
}

TEST(RecordingFeatures, RowsComeInPiecesWithTheirNames) {
  const TemporaryFolder folder;
  ASSERT_TRUE(write_sound(folder / "x.wav", plain_wav, rate, 1, tone(30 * rate, 0.1)));
  std::vector<double> pieces;
  std::size_t count = 0;
  const Heard heard = hear_recording(folder / "x.wav", {}, {}, [&](const Heard& of, std::span<const double> rows) {
    EXPECT_EQ(of.columns.size(), 13U);
    EXPECT_EQ(of.units[0], "dB");
    pieces.insert(pieces.end(), rows.begin(), rows.end());
    ++count;
  });
  EXPECT_GT(count, 2U);
  EXPECT_EQ(heard.rows * 13, pieces.size());
  EXPECT_EQ(heard.sample_rate, 8000.0);
  EXPECT_EQ(pieces, recording_features(folder / "x.wav", {}, {}).features.values);
}

TEST(RecordingFeatures, Errors) {
  const TemporaryFolder folder;
  ASSERT_TRUE(write_sound(folder / "empty.wav", plain_wav, rate, 1, {}));
  EXPECT_EQ(folder.error_of([&] { recording_features(folder / "empty.wav", {}, {}); }),
            "empty.wav: the recording is empty");
  ASSERT_TRUE(write_sound(folder / "short.wav", plain_wav, rate, 1, tone(1000, 0.1)));
  EXPECT_EQ(folder.error_of([&] { recording_features(folder / "short.wav", {}, {}); }),
            "short.wav: 0.125 s are shorter than the window of 0.25 s");
  RecordingOptions options;
  options.features.mfcc.high_hz = 5000.0;
  EXPECT_EQ(folder.error_of([&] { recording_features(folder / "short.wav", options, {}); }, ErrorKind::usage),
            "short.wav: bands from --low-hz 0 to --high-hz 5000 do not fit 8000 Hz; low < high <= 4000 is needed");
}

}  // namespace
}  // namespace motet::recording_features_test
