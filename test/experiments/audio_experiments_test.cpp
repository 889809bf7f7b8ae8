// The experiments on sounds and rooms: that each runs on small data.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <filesystem>

#include "experiments/audio/heard_clips.h"
#include "experiments/support.h"
#include "motet/audio/scene/synthesis.h"
#include "motet/io/sound_file.h"
#include "support/errors.h"

namespace motet::audio::audio_experiments_test {
namespace {

class AudioExperimentsSlow : public ExperimentTest {};

TEST_P(AudioExperimentsSlow, RunOnSmallDataTheSameOnAnyNumberOfThreads) {
  std::filesystem::create_directory(folder / "audio");
  for (std::uint64_t i = 0; i < 2; ++i) {
    const std::vector<float> sound = synthesize(SoundKind::rain, 0.5, 16000.0, Rng(Seed{i}));
    write_wav(folder / ("audio/" + std::to_string(i) + ".wav"), {16000.0, {sound}});
  }
  expect_the_same_on_any_number_of_threads();
}

INSTANTIATE_TEST_SUITE_P(All, AudioExperimentsSlow,
                         testing::Values("audio-fig4-1", "audio-fig4-2", "audio-recorded-noise", "audio-table4-1",
                                         "audio-fig4-3", "audio-fig4-4", "audio-table4-2"),
                         plain_name);

TEST(HeardClips, MixturesShareTheSourceOfWhatTheyAreMadeOf) {
  const std::vector<DryClip> clips = dry_clips(3, {}, Rng(Seed{1}), {1});
  ASSERT_EQ(clips.size(), 3U * 3U + 2U * 5U);
  for (const DryClip& clip : clips) {
    EXPECT_EQ(clip.source >= 3, clip.activity == Activity::music);
    double power = 0.0;
    for (const float x : clip.sound) power += static_cast<double>(x) * static_cast<double>(x);
    EXPECT_NEAR(power / static_cast<double>(clip.sound.size()), 1.0, 1e-4);
  }
}

// Whatever the class: neither end of the spectrum tells it.
TEST(HeardClips, NothingIsAboveEightKilohertz) {
  const std::vector<float> sound = everyday_sound(Everyday::noise, Rng(Seed{3}));
  double above = 0.0;  // at 9 kHz, by its sine and cosine
  double other = 0.0;
  for (std::size_t t = 0; t < sound.size(); ++t) {
    const double turn = 6.283185307179586 * 9000.0 * static_cast<double>(t) / heard_rate;
    above += static_cast<double>(sound[t]) * std::sin(turn);
    other += static_cast<double>(sound[t]) * std::cos(turn);
  }
  EXPECT_LT(std::hypot(above, other) / static_cast<double>(sound.size()), 1e-6);
}

TEST(HeardClips, ARoomOfEachTimeIsDrawnOnce) {
  const std::vector<DryClip> clips = dry_clips(1, {}, Rng(Seed{1}), {1});
  const std::vector<Hearing> hearings = hearings_of(clips, 10, Rng(Seed{2}));
  ASSERT_EQ(hearings.size(), clips.size() * 10);
  std::vector<double> times = t60_of(hearings).values;
  times.resize(10);
  std::sort(times.begin(), times.end());
  EXPECT_EQ(times, (std::vector<double>(heard_t60.begin(), heard_t60.end())));
  for (const Hearing& one : hearings_at(clips, 3, Rng(Seed{2}))) EXPECT_EQ(one.response / responses_per_t60, 3U);
}

TEST(HeardClips, AFolderWithoutRecordingsIsAnError) {
  const TemporaryFolder folder;
  std::filesystem::create_directory(folder / "audio");
  EXPECT_EQ(refusal([&] { public_noises(folder / "audio", Rng(Seed{1})); }, ErrorKind::bad_data),
            folder / "audio" + ": holds no .wav");
}

}  // namespace
}  // namespace motet::audio::audio_experiments_test
