#include "motet/audio/field/synthetic_field.h"

#include <gtest/gtest.h>

#include <cmath>

namespace motet::audio::synthetic_field_test {
namespace {

double level_of(const std::vector<float>& sound) {
  double sum = 0.0;
  for (const float x : sound) sum += static_cast<double>(x) * static_cast<double>(x);
  return std::sqrt(sum / static_cast<double>(sound.size()));
}

TEST(SyntheticField, FieldsHaveTheSameLevel) {
  const ArrayOptions array{.head = HeadModel::none};
  const Sound wave = plane_wave(array, 30.0, 20480.0, 8192, Rng(Seed{1}));
  const Sound diffuse = diffuse_field(array, 50, 20480.0, 8192, Rng(Seed{2}));
  ASSERT_EQ(wave.channels.size(), 4U);
  for (const Sound* sound : {&wave, &diffuse}) {
    for (const std::vector<float>& channel : sound->channels) EXPECT_NEAR(level_of(channel), 0.1, 0.01);
  }
}

TEST(SyntheticField, FromTheSideBothMicrophonesHearTheSame) {
  const ArrayOptions array{.head = HeadModel::none};
  const Sound wave = plane_wave(array, 90.0, 20480.0, 1024, Rng(Seed{1}));
  for (std::size_t t = 0; t < 1024; ++t) EXPECT_NEAR(wave.channels[0][t], wave.channels[1][t], 1e-6);
}

}  // namespace
}  // namespace motet::audio::synthetic_field_test
