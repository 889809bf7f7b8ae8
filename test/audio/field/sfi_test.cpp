#include "motet/audio/field/sfi.h"

#include <algorithm>
#include <cmath>
#include <map>

#include "audio/field_support.h"
#include "support/errors.h"

namespace motet::audio::sfi_test {
namespace {

// Both sides are double precision; a bin that counts is no less than 1e-4 of its neighbours.
constexpr double tolerance = 1e-9;

using SfiVectors = GoldenVectors;

// In a null a difference of nearly equal numbers is left, of which rounding decides the digits.
bool is_ill_conditioned(const std::string& signal, const std::string& feature) {
  const auto begins = [&](const char* text) { return feature.starts_with(text); };
  if (signal == "side_white") {  // both microphones of a side hear the same
    return begins("Z") || begins("ea") || begins("betatilde") || begins("Ia") || begins("Ir");
  }
  if (!signal.starts_with("front_")) return false;
  return begins("bc") || begins("beta") || begins("ea");
}

struct Disagreement {
  double worst = 0.0;
  std::string where;
  std::size_t compared = 0;

  void add(const std::string& name, double found, double wanted, bool is_phase) {
    double off = std::abs(found - wanted);
    if (is_phase) off = std::min(off, std::abs(360.0 - off));
    off /= std::max(1.0, std::abs(wanted));
    if (off > worst) where = name;
    worst = std::max(worst, off);
    ++compared;
  }
};

TEST_F(SfiVectors, OfAWholeFrame) {
  for (const std::string name : names) {
    const Channels channels = channels_of(name);
    for (const PhaseMean phase_mean : {PhaseMean::circular, PhaseMean::arithmetic}) {
      SfiOptions options;
      options.phase_mean = phase_mean;
      const FeatureStream stream = sfi_stream(options, sfi_frames, shape);
      const std::vector<double> row = rows_of_whole(stream, channels);
      const auto table = table_of(name + ".sfi.csv");
      ASSERT_EQ(row.size(), 920U);
      ASSERT_EQ(table.size(), 920U);
      Disagreement disagreement;
      for (std::size_t i = 0; i < row.size(); ++i) {
        ASSERT_EQ(stream.columns[i], table[i][0]);
        if (is_ill_conditioned(name, table[i][0])) continue;
        disagreement.add(table[i][0], row[i], std::stod(table[i][phase_mean == PhaseMean::circular ? 1 : 2]),
                         stream.units[i] == "degrees");
      }
      EXPECT_LE(disagreement.worst, tolerance) << name << " " << disagreement.where;
      EXPECT_GE(disagreement.compared, 500U);
    }
  }
}

TEST_F(SfiVectors, OfTenths) {
  for (const std::string name : names) {
    const FeatureStream stream = sfi_short_time_stream({}, sfi_frames, shape);
    const std::vector<double> row = rows_of_whole(stream, channels_of(name));
    const auto table = table_of(name + ".sfist.csv");
    ASSERT_EQ(row.size(), 800U);
    ASSERT_EQ(table.size(), 400U);
    Disagreement disagreement;
    for (std::size_t i = 0; i < 400; ++i) {
      ASSERT_EQ(stream.columns[i], table[i][0] + "_a10");
      ASSERT_EQ(stream.columns[400 + i], table[i][0] + "_s10");
      if (is_ill_conditioned(name, table[i][0])) continue;
      disagreement.add(stream.columns[i], row[i], std::stod(table[i][1]), stream.units[i] == "degrees");
      // sqrt(-2 ln R) of angles that are all the same is the root of a rounding.
      const double deviation = std::stod(table[i][2]);
      if (stream.units[i] == "degrees" && deviation < 1e-3) continue;
      disagreement.add(stream.columns[400 + i], row[400 + i], deviation, false);
    }
    EXPECT_LE(disagreement.worst, tolerance) << name << " " << disagreement.where;
    EXPECT_GE(disagreement.compared, 300U);
  }
}

TEST(Sfi, NamesOfThePublishedTables) {
  const SoundShape sound = {20480.0, 4};
  const std::vector<std::string> plain = sfi_stream({}, sfi_frames, sound).columns;
  const std::vector<std::string> tenths = sfi_short_time_stream({}, sfi_frames, sound).columns;
  const auto has = [](const std::vector<std::string>& names, const char* name) {
    return std::find(names.begin(), names.end(), name) != names.end();
  };
  for (const char* name : {"betaopt34n_960", "ea34n_abs_3920", "fc34n_abs_3920", "betaopt34n_160", "ef34n_abs_3920",
                           "ef34n_ph_480", "betaopt12n_1120", "betaopt12n_960", "betaopt34n_3360"}) {
    EXPECT_TRUE(has(plain, name)) << name;
  }
  for (const char* name : {"ef12n_abs_3920_a10", "ea12n_abs_3920_a10", "fc12n_abs_3920_a10", "betaopt12n_3360_a10",
                           "bc12n_abs_480_a10", "P11_320_s10", "PMean12_320_s10", "P22_320_s10", "PMean12_800_s10",
                           "P22_800_s10", "P11_800_s10", "P11_640_s10", "Ia12n_1840_a10", "PMean12_640_s10",
                           "P22_640_s10", "P11_960_s10", "P22_480_s10", "G12_ph_9440_s10", "P11_1840_s10"}) {
    EXPECT_TRUE(has(tenths, name)) << name;
  }
}

TEST(Sfi, AverageAndDeviationAreTheHalvesOfShortTime) {
  const SoundShape sound = {20480.0, 4};
  const Channels noise = noise_channels(4, 20480);
  const std::vector<double> average = rows_of_whole(sfi_average_stream({}, sfi_frames, sound), noise);
  const std::vector<double> deviation = rows_of_whole(sfi_deviation_stream({}, sfi_frames, sound), noise);
  std::vector<double> both = average;
  both.insert(both.end(), deviation.begin(), deviation.end());
  EXPECT_EQ(both, rows_of_whole(sfi_short_time_stream({}, sfi_frames, sound), noise));
}

TEST(Sfi, SameBitsWhateverTheBlocks) {
  const SoundShape sound = {8000.0, 4};
  const Channels noise = noise_channels(4, 9000);
  const FrameClock frames = {0.11, 0.23};
  const std::vector<double> whole = rows_of_whole(sfi_stream({}, frames, sound), noise);
  const std::vector<double> tenths = rows_of_whole(sfi_short_time_stream({}, frames, sound), noise);
  EXPECT_EQ(whole.size(), 9U * 920U);
  for (const std::size_t block : {97U, 4000U}) {
    EXPECT_EQ(whole, rows_in_blocks(sfi_stream({}, frames, sound), noise, block));
    EXPECT_EQ(tenths, rows_in_blocks(sfi_short_time_stream({}, frames, sound), noise, block));
  }
}

TEST(Sfi, BadInput) {
  EXPECT_EQ(error_of(
                [] {
                  sfi_stream({}, sfi_frames, {20480.0, 1});
                },
                ErrorKind::usage),
            "sound field indicators need four channels (left front, left back, right front, right back); here is 1");
  EXPECT_EQ(error_of(
                [] {
                  sfi_short_time_stream({}, {0.1, 0.05}, {20480.0, 4});
                },
                ErrorKind::usage),
            "a window of 0.05 s is too short for sound field indicators; 0.0625 s or more are needed at 20480 Hz");
  SfiOptions options;
  options.mic_distance = 0.0;
  EXPECT_EQ(error_of(
                [&] {
                  sfi_stream(options, sfi_frames, {20480.0, 4});
                },
                ErrorKind::usage),
            "--mic-distance 0 is outside [0.001, 1]");
}

}  // namespace
}  // namespace motet::audio::sfi_test
