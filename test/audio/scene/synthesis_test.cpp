#include "motet/audio/scene/synthesis.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "motet/audio/mono/pitch.h"
#include "motet/audio/mono/short_time.h"

namespace motet::audio::synthesis_test {
namespace {

constexpr double rate = 20480.0;

std::vector<float> made(SoundKind kind, std::uint64_t seed = 1, double seconds = 3.0) {
  return synthesize(kind, seconds, rate, Rng(Seed{seed}));
}

// Share of the power above a frequency.
double share_above(const std::vector<float>& sound, double hertz) {
  ShortTimePower power(512, 256);
  const std::vector<double> found = power(sound);
  double above = 0.0;
  double all = 0.0;
  for (std::size_t i = 0; i < found.size(); ++i) {
    all += found[i];
    if (static_cast<double>(i % power.bins()) * rate / 512.0 >= hertz) above += found[i];
  }
  return above / all;
}

double tonal_share(const std::vector<float>& sound) {
  const std::vector<Pitch> pitches = PitchTracker(rate)(sound);
  const auto tonal = std::count_if(pitches.begin(), pitches.end(), [](const Pitch& one) { return one.is_tonal(); });
  return static_cast<double>(tonal) / static_cast<double>(pitches.size());
}

TEST(Synthesis, EachKindIsFiniteAndHasTheUsualLevel) {
  for (std::size_t kind = 0; kind < sound_kinds().words.size(); ++kind) {
    for (std::uint64_t seed = 1; seed <= 3; ++seed) {
      const std::vector<float> sound = made(static_cast<SoundKind>(kind), seed);
      ASSERT_EQ(sound.size(), 61440U);
      double squares = 0.0;
      for (const float x : sound) squares += static_cast<double>(x) * static_cast<double>(x);
      EXPECT_NEAR(10.0 * std::log10(squares / 61440.0), -23.0, 0.01);
    }
  }
}

TEST(Synthesis, KindsSoundDifferent) {
  EXPECT_GT(share_above(made(SoundKind::bird), 1700.0), 0.95);
  EXPECT_LT(share_above(made(SoundKind::wind), 1700.0), 0.05);
  EXPECT_GT(tonal_share(made(SoundKind::speech)), 0.3);
  EXPECT_LT(tonal_share(made(SoundKind::rain)), 0.05);
}

TEST(Synthesis, SameSeedSameSound) {
  EXPECT_EQ(made(SoundKind::music), made(SoundKind::music));
  EXPECT_NE(made(SoundKind::music), made(SoundKind::music, 2));
  EXPECT_TRUE(synthesize(SoundKind::rain, 0.0, rate, Rng(Seed{1})).empty());
}

TEST(Synthesis, LowRatesAndShortSounds) {
  for (std::size_t kind = 0; kind < sound_kinds().words.size(); ++kind) {
    for (const double seconds : {0.001, 0.05, 0.5}) {
      const std::vector<float> sound = synthesize(static_cast<SoundKind>(kind), seconds, 4000.0, Rng(Seed{1}));
      for (const float x : sound) ASSERT_TRUE(std::isfinite(x));
    }
  }
}

}  // namespace
}  // namespace motet::audio::synthesis_test
