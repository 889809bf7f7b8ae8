#include "motet/audio/mono/pitch.h"

#include "audio/field_support.h"

namespace motet::audio::pitch_test {
namespace {

using PitchVectors = GoldenVectors;

TEST_F(PitchVectors, PlaceAndStrength) {
  constexpr double tolerance = 1e-6;
  for (const std::string name : names) {
    const Channels channels = channels_of(name);
    const std::vector<Pitch> found = PitchTracker(20480.0)(channels[0]);
    const auto table = table_of(name + ".pitch.csv", false);
    ASSERT_EQ(found.size(), table.size());
    for (std::size_t i = 0; i < found.size(); ++i) {
      EXPECT_EQ(found[i].is_tonal(), table[i][0] != "nan");
      if (found[i].is_tonal()) {
        EXPECT_NEAR(found[i].hertz, std::stod(table[i][0]), tolerance) << name << " " << i;
      }
      EXPECT_NEAR(found[i].strength, std::stod(table[i][1]), tolerance) << name << " " << i;
    }
  }
}

TEST(Pitch, SilenceHasNone) {
  const std::vector<float> silence(2048);
  for (const Pitch& one : PitchTracker(20480.0)(silence)) EXPECT_FALSE(one.is_tonal());
  EXPECT_TRUE(PitchTracker(20480.0)(std::vector<float>(1000)).empty());
}

TEST(Pitch, HighRatesLookAtTheLagsThereAre) {
  const Channels noise = noise_channels(1, 4096);
  EXPECT_EQ(PitchTracker(192'000.0)(noise[0]).size(), 7U);
}

}  // namespace
}  // namespace motet::audio::pitch_test
