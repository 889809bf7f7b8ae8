#include "motet/audio/mono/asa.h"

#include <cmath>

#include "audio/field_support.h"
#include "support/errors.h"

namespace motet::audio::asa_test {
namespace {

constexpr FrameClock frames = {0.8, 0.8};
constexpr SoundShape mono = {20480.0, 1};

using AsaVectors = GoldenVectors;

TEST_F(AsaVectors, AllEleven) {
  expect_mono_rows([] { return asa_stream({}, frames, mono); }, "ASA", 11);
}

TEST(Asa, MemoryAveragesWhatWasBefore) {
  const Channels noise = noise_channels(1, 5 * 16384);
  const std::vector<double> alone = rows_of_whole(asa_stream({}, frames, mono), noise);
  const std::vector<double> remembered = rows_of_whole(asa_stream({.asa_memory = 2.0}, frames, mono), noise);
  ASSERT_EQ(alone.size(), 55U);
  const double keep = std::exp(-0.4);
  for (std::size_t j = 0; j < 11; ++j) {
    EXPECT_EQ(remembered[j], alone[j]);
    EXPECT_NEAR(remembered[11 + j], keep * alone[j] + (1.0 - keep) * alone[11 + j], 1e-9 * std::abs(alone[j]) + 1e-12);
  }
}

TEST(Asa, SilenceHasNumbers) {
  for (const double value : rows_of_whole(asa_stream({}, frames, mono), Channels(1, std::vector<float>(16384)))) {
    EXPECT_TRUE(std::isfinite(value));
  }
}

TEST(Asa, SameBitsWhateverTheBlocks) {
  const Channels noise = noise_channels(1, 40'000);
  EXPECT_EQ(rows_of_whole(asa_stream({.asa_memory = 1.0}, {0.1, 0.3}, mono), noise),
            rows_in_blocks(asa_stream({.asa_memory = 1.0}, {0.1, 0.3}, mono), noise, 777));
}

TEST(Asa, AWindowWithoutRoomForPitchIsRefused) {
  EXPECT_EQ(error_of(
                [] {
                  asa_stream({}, {0.1, 0.01}, mono);
                },
                ErrorKind::usage),
            "a window of 0.01 s is too short for the set asa; 0.05 s or more are needed at 20480 Hz");
}

}  // namespace
}  // namespace motet::audio::asa_test
