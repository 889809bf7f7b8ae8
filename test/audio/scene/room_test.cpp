#include "motet/audio/scene/room.h"

#include <cmath>

#include "audio/field_support.h"
#include "support/errors.h"

namespace motet::audio::room_test {
namespace {

constexpr double rate = 4000.0;

double energy_between(const Sound& sound, std::size_t channel, double from, double to) {
  double sum = 0.0;
  const auto end = std::min(sound.samples(), static_cast<std::size_t>(to * sound.sample_rate));
  for (auto t = static_cast<std::size_t>(from * sound.sample_rate); t < end; ++t) {
    sum += std::pow(static_cast<double>(sound.channels[channel][t]), 2);
  }
  return sum;
}

Sound response_of(double t60, double direct_ratio, std::uint64_t seed = 1) {
  RoomOptions options;
  options.t60 = t60;
  options.direct_ratio = direct_ratio;
  options.array.head = HeadModel::none;
  return room_response(options, rate, Rng(Seed{seed}));
}

// Energies of two quarters of the decay, T60/4 apart, differ by 15 dB. Each is a sum of some 500 independent squares
// of 32 waves: 0.3 dB is about three standard errors.
TEST(Room, DecaysBySixtyDecibelsWithinT60) {
  for (const double t60 : {0.5, 2.0}) {
    double early = 0.0;
    double late = 0.0;
    for (std::uint64_t seed = 1; seed <= 4; ++seed) {
      const Sound response = response_of(t60, -20.0, seed);
      early += energy_between(response, 0, 0.25 * t60, 0.5 * t60);
      late += energy_between(response, 0, 0.5 * t60, 0.75 * t60);
    }
    EXPECT_NEAR(10.0 * std::log10(early / late), 15.0, 0.6) << t60;
  }
}

TEST(Room, HasTheRatioOfDirectSound) {
  double direct = 0.0;
  double rest = 0.0;
  for (std::uint64_t seed = 1; seed <= 6; ++seed) {
    const Sound whole = response_of(1.0, 0.0, seed);
    const Sound dry = response_of(1.0, 60.0, seed);  // next to nothing but the direct sound
    direct += energy_between(dry, 1, 0.0, 2.0);
    for (std::size_t t = 0; t < whole.samples(); ++t) {
      rest += std::pow(static_cast<double>(whole.channels[1][t]) - static_cast<double>(dry.channels[1][t]), 2);
    }
  }
  EXPECT_NEAR(10.0 * std::log10(direct / rest), 0.0, 0.5);
}

TEST(Room, TheDirectSoundComesFromItsAngle) {
  RoomOptions options;
  options.angle = 90.0;
  options.direct_ratio = 60.0;
  const Sound response = room_response(options, 20480.0, Rng(Seed{1}));
  const auto peak = [&](std::size_t channel) {
    const std::vector<float>& x = response.channels[channel];
    return std::max_element(x.begin(), x.end()) - x.begin();
  };
  EXPECT_LT(peak(0), peak(2));  // left before right
}

// Blocks of the fast way and the sum that defines it.
TEST(Room, ConvolvesAsDefined) {
  Sound response{rate, noise_channels(4, 300, 2)};
  const Channels sound = noise_channels(1, 9000, 3);
  const Sound with_tail = in_room(sound[0], response, true);
  const Sound found = in_room(sound[0], response, false);
  ASSERT_EQ(with_tail.samples(), 9299U);
  ASSERT_EQ(found.samples(), 9000U);
  for (const std::size_t t : {0U, 100U, 3797U, 3900U, 7600U, 8999U}) {
    double sum = 0.0;
    for (std::size_t i = 0; i < 300 && i <= t; ++i) {
      sum += static_cast<double>(response.channels[2][i]) * static_cast<double>(sound[0][t - i]);
    }
    EXPECT_NEAR(found.channels[2][t], sum, 1e-6) << t;
    EXPECT_EQ(found.channels[2][t], with_tail.channels[2][t]);
  }
}

TEST(Room, SameSeedSameResponse) {
  EXPECT_EQ(response_of(0.5, 3.0).channels, response_of(0.5, 3.0).channels);
  EXPECT_NE(response_of(0.5, 3.0).channels, response_of(0.5, 3.0, 2).channels);
}

TEST(Room, BadInput) {
  EXPECT_EQ(error_of([] { response_of(0.0, 3.0); }, ErrorKind::usage), "--t60 0 is outside [0.05, 30]");
  EXPECT_EQ(error_of(
                [] {
                  in_room(std::vector<float>(10), {rate, {{1.0F}}}, false);
                },
                ErrorKind::bad_data),
            "a response needs four channels; here are 1");
}

}  // namespace
}  // namespace motet::audio::room_test
