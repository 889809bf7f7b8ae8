#include "motet/app/audio/feature_run.h"

#include <gtest/gtest.h>

#include "io/audio_support.h"
#include "io/support.h"
#include "support/cancelled.h"
#include "support/errors.h"

namespace motet::audio::feature_run_test {
namespace {

constexpr int rate = 8000;
constexpr int plain_wav = SF_FORMAT_WAV | SF_FORMAT_PCM_16;
constexpr int float_wav = SF_FORMAT_WAV | SF_FORMAT_FLOAT;

class FeatureRunFiles : public testing::Test {
 protected:
  FeatureRunFiles() {
    for (std::size_t i = 0; i < 7; ++i) {
      const std::string name = "r" + std::to_string(i) + ".wav";
      EXPECT_TRUE(write_sound(folder / name, plain_wav, rate, 1, tone((1 + i % 3) * rate, 0.01 * double(1 + i))));
      recordings.push_back({name, folder / name});
    }
  }

  FeatureRunOptions options_for(const std::string& out) const {
    FeatureRunOptions options;
    options.out = folder / out;
    return options;
  }

  // A recording with a sample that is no number far behind the first rows.
  void damage(std::size_t which) {
    std::vector<float> sound = tone(100'000, 0.01);
    sound[90'000] = NAN;
    ASSERT_TRUE(write_sound(recordings[which].path, float_wav, rate, 1, sound));
  }

  TemporaryFolder folder;
  std::vector<NamedRecording> recordings;
};

TEST_F(FeatureRunFiles, TheSameBytesOnAnyNumberOfThreads) {
  for (const char* ending : {"csv", "npy", "arff", "jsonl"}) {
    std::string expected;
    for (const unsigned threads : {1U, 2U, 4U}) {
      RunContext run;
      run.threads = {threads, true};
      const std::string out = std::string("f.") + ending;
      const FeatureRunResult result = run_features(recordings, options_for(out), run);
      EXPECT_EQ(result.rows, 3U * 8 + 2U * 18 + 2U * 28);
      if (threads == 1) expected = folder.read(out);
      EXPECT_EQ(folder.read(out), expected) << ending << threads;
    }
  }
}

TEST_F(FeatureRunFiles, ARecordingThatCannotBeHeardIsLeftOut) {
  damage(2);
  folder.write("r4.wav", "this is no recording, but a text of some length that goes on for a while");
  FeatureRunOptions options = options_for("f.csv");
  const FeatureRunResult result = run_features(recordings, options, {});
  EXPECT_EQ(folder.without_path(result.entries[2].failure),
            "r2.wav: the sample at 11.25 s is nan; sound must be finite numbers");
  EXPECT_TRUE(result.entries[4].failure.find("cannot be read as a recording") != std::string::npos);
  EXPECT_EQ(result.rows, 3U * 8 + 18 + 28);
  const std::string with_bad = folder.read("f.csv");
  EXPECT_EQ(with_bad.find("r2.wav"), std::string::npos);  // rows that were written are taken back
  std::vector<NamedRecording> good;
  for (std::size_t i : {0U, 1U, 3U, 5U, 6U}) good.push_back(recordings[i]);
  run_features(good, options_for("g.csv"), {});
  EXPECT_EQ(with_bad, folder.read("g.csv"));
  options.is_strict = true;
  EXPECT_EQ(folder.error_of([&] { run_features(recordings, options, {}); }),
            "r2.wav: the sample at 11.25 s is nan; sound must be finite numbers");
}

TEST_F(FeatureRunFiles, WhatAllFailAtIsAnError) {
  FeatureRunOptions options = options_for("f.csv");
  options.recordings.features.mfcc.coefficients = 50;
  EXPECT_EQ(folder.error_of([&] { run_features(recordings, options, {}); }, ErrorKind::usage),
            "r0.wav: --coefficients 50 is more than the 40 bands");
}

TEST_F(FeatureRunFiles, RowsOfAnotherRateAreLeftOutWhereTheyDoNotFit) {
  ASSERT_TRUE(write_sound(recordings[1].path, plain_wav, 11025, 1, tone(11025, 0.01)));
  FeatureRunOptions options = options_for("f.csv");
  options.recordings.features.set = "spectrogram";
  const FeatureRunResult result = run_features(recordings, options, {});
  EXPECT_EQ(
      folder.without_path(result.entries[1].failure),
      "r1.wav: its rows have other columns or other times than those before, as its sample rate is another; bring "
      "all to one with --rate");
  options.recordings.rate = 8000.0;
  const FeatureRunResult brought = run_features(recordings, options, {});
  EXPECT_EQ(brought.entries[1].failure, "");
  EXPECT_EQ(brought.entries[1].heard.sample_rate, 8000.0);
}

TEST_F(FeatureRunFiles, AnInterruptedRunGoesOn) {
  run_features(recordings, options_for("whole.csv"), {});
  FeatureRunOptions options = options_for("f.csv");
  options.manifest = folder / "m.jsonl";
  CancelFlag cancel;
  RunContext run;
  run.threads = {1};
  run.cancel = &cancel;
  run.observer = [&](const Progress& progress) {
    if (progress.done >= 3.0) cancel.set(SIGINT);
  };
  EXPECT_EQ(folder.error_of([&] { run_features(recordings, options, run); }, ErrorKind::interrupted),
            "interrupted while hearing r3.wav; the same command goes on from m.jsonl");
  const FeatureRunResult result = run_features(recordings, options, {});
  EXPECT_EQ(folder.read("f.csv"), folder.read("whole.csv"));
  EXPECT_EQ(result.entries[1].heard.rows, 18U);
  // All are finished: nothing is heard, and a recording that is new is put where it belongs.
  EXPECT_EQ(run_features(recordings, options, cancelled_run()).rows, result.rows);
  EXPECT_EQ(folder.read("f.csv"), folder.read("whole.csv"));
}

TEST_F(FeatureRunFiles, FinishedRowsAreUsedInAnyOrder) {
  FeatureRunOptions options = options_for("f.csv");
  options.manifest = folder / "m.jsonl";
  run_features({recordings[5], recordings[1]}, options, {});
  run_features(recordings, options, {});
  run_features(recordings, options_for("whole.csv"), {});
  EXPECT_EQ(folder.read("f.csv"), folder.read("whole.csv"));
}

TEST_F(FeatureRunFiles, PicturesAreKeptOfTheFirst) {
  FeatureRunOptions options = options_for("f.csv");
  options.pictures = 2;
  const FeatureRunResult result = run_features(recordings, options, {});
  ASSERT_TRUE(result.entries[1].picture.has_value());
  EXPECT_EQ(result.entries[1].picture->rows(), 18U);
  EXPECT_FALSE(result.entries[2].picture.has_value());
}

}  // namespace
}  // namespace motet::audio::feature_run_test
