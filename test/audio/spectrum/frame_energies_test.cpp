#include "motet/audio/spectrum/frame_energies.h"

#include <gtest/gtest.h>

#include <cmath>

#include "motet/base/rng.h"
#include "support/processor.h"

namespace motet::audio::frame_energies_test {
namespace {

FramePlan plan_of(std::size_t size) {
  FramePlan plan;
  plan.taper.assign(size, 0.5);
  plan.fft_size = power_of_two_from(size);
  plan.triangles = {{1, {0.25, 0.5}}, {3, {}}, {2, {1.0, 2.0, 3.0}}};
  return plan;
}

template <class Real>
std::vector<Real> any_sound(std::size_t size) {
  Rng rng(Seed{5});
  std::vector<Real> sound(size);
  for (Real& sample : sound) sample = static_cast<Real>(rng.uniform() - 0.5);
  return sound;
}

template <class Real>
std::vector<Real> energies_of(const FramePlan& plan, const std::vector<Real>& sound) {
  FrameEnergies<Real> energies(plan);
  typename FrameEnergies<Real>::Frames frames{};
  for (std::size_t s = 0; s < frames.size(); ++s) frames[s] = sound.data() + 3 * s;
  const std::span<Real> found = energies.of(frames);
  return {found.begin(), found.end()};
}

TEST(FrameEnergies, SumTheBinsOfEachTriangle) {
  const std::vector<double> sound = any_sound<double>(64);
  FramePlan plan = plan_of(20);
  const std::vector<double> bands = energies_of(plan, sound);
  plan.takes_bins = true;
  const std::vector<double> bins = energies_of(plan, sound);
  ASSERT_EQ(bins.size(), 17U * 4);
  for (std::size_t s = 0; s < 4; ++s) {
    EXPECT_EQ(bands[s], 0.25 * bins[4 + s] + 0.5 * bins[8 + s]);
    EXPECT_EQ(bands[4 + s], 0.0);
    EXPECT_NEAR(bands[8 + s], bins[8 + s] + 2.0 * bins[12 + s] + 3.0 * bins[16 + s], 1e-13);
  }
}

TEST(FrameEnergies, InSinglePrecisionAreNearTheDouble) {
  const std::vector<double> wide = energies_of(plan_of(45), any_sound<double>(128));
  const std::vector<float> narrow = energies_of(plan_of(45), any_sound<float>(128));
  for (std::size_t b = 0; b < 3; ++b) {
    for (std::size_t s = 0; s < 4; ++s) EXPECT_NEAR(narrow[b * 8 + s], wide[b * 4 + s], 1e-5);
  }
}

TEST(FrameEnergies, OfAFrameWithoutItsMeanAreThoseOfTheDifferences) {
  FramePlan plan = plan_of(16);
  const std::vector<double> sound = any_sound<double>(64);
  plan.removes_mean = true;
  plan.scale = 2.0;
  plan.takes_bins = true;
  plan.taper.assign(16, 1.0);
  const std::vector<double> found = energies_of(plan, sound);
  plan.removes_mean = false;
  plan.scale = 1.0;
  const std::vector<double> plain = energies_of(plan, sound);
  EXPECT_NEAR(found[0], 0.0, 1e-25);  // the bin of the mean
  for (std::size_t k = 1; k < 9; ++k) EXPECT_NEAR(found[k * 4], 4.0 * plain[k * 4], 1e-12);
}

TEST(FrameEnergies, AnyPowerOfTheMagnitude) {
  FramePlan plan = plan_of(16);
  plan.takes_bins = true;
  const std::vector<double> power = energies_of(plan, any_sound<double>(64));
  for (const double exponent : {1.0, 3.0}) {
    plan.power = exponent;
    const std::vector<double> found = energies_of(plan, any_sound<double>(64));
    for (std::size_t i = 0; i < found.size(); ++i) EXPECT_NEAR(found[i], std::pow(power[i], exponent / 2.0), 1e-12);
  }
}

TEST(Levels, AreLogarithmsOfWhatIsAboveTheFloor) {
  std::vector<double> wide = {1.0, 1e-20, 0.0, 123.456};
  to_levels<double>(wide, {1e-10, 1.0, 1.0});
  EXPECT_EQ(wide[0], 0.0);
  EXPECT_NEAR(wide[1], std::log(1e-10), 1e-14);
  EXPECT_EQ(wide[2], wide[1]);
  EXPECT_NEAR(wide[3], std::log(123.456), 1e-14);
}

TEST(Levels, InSinglePrecisionKeepSevenDigits) {
  for (float x = 1.1e-10F; x < 1e10F; x *= 1.37F) {
    std::vector<float> values(8, x);
    to_levels<float>(values, {1e-10, 1.0, 1.0});
    const double exact = std::log(static_cast<double>(x));
    for (const float value : values) EXPECT_NEAR(value, exact, 2e-7 * std::max(1.0, std::abs(exact))) << x;
  }
  std::vector<float> small = {0.0F, 1e-30F, 1e-10F, 1.0F, 0.0F, 0.0F, 0.0F, 0.0F};
  to_levels<float>(small, {1e-10, 1.0, 1.0});
  EXPECT_EQ(small[0], small[2]);
  EXPECT_EQ(small[1], small[2]);
  EXPECT_EQ(small[3], 0.0F);
}

TEST(TransformedLevels, AreSumsOverBands) {
  const std::vector<double> levels = any_sound<double>(3 * 4);
  const std::vector<double> matrix = any_sound<double>(3 * 7);
  std::vector<double> found(7 * 4);
  transform_levels<double>(levels, matrix, 7, found);
  for (std::size_t c = 0; c < 7; ++c) {
    for (std::size_t s = 0; s < 4; ++s) {
      double sum = 0.0;
      for (std::size_t b = 0; b < 3; ++b) sum += matrix[b * 7 + c] * levels[b * 4 + s];
      EXPECT_EQ(found[c * 4 + s], sum);
    }
  }
}

TEST(FrameEnergies, HaveTheSameBitsAtEveryLevelOfTheProcessor) {
  FramePlan plan = plan_of(45);
  expect_same_bits_at_every_level([&] { return energies_of(plan, any_sound<double>(128)); });
  expect_same_bits_at_every_level([&] {
    std::vector<float> energies = energies_of(plan, any_sound<float>(128));
    to_levels<float>(energies, {1e-10, 1.0, 10.0});
    return std::vector<double>(energies.begin(), energies.end());
  });
}

}  // namespace
}  // namespace motet::audio::frame_energies_test
