#include "motet/audio/field/indicators.h"

#include <cmath>
#include <map>
#include <numbers>

#include "audio/field_support.h"
#include "motet/audio/field/bark.h"

namespace motet::audio::indicators_test {
namespace {

constexpr double rate = 20480.0;

// Exact spectra of one plane wave of power 1 from the angle, without a segment's edges.
CrossSpectra plane_wave(double degrees, const SfiOptions& options = {}) {
  CrossSpectra spectra;
  for (std::size_t k = 0; k < welch_bins; ++k) {
    const double kd =
        2.0 * std::numbers::pi * rate / 128.0 * static_cast<double>(k) * options.mic_distance / options.sound_speed;
    for (auto& power : spectra.power) power[k] = 1.0;
    spectra.p12[k] = spectra.p34[k] = std::polar(1.0, kd * std::cos(degrees * std::numbers::pi / 180.0));
    spectra.p13[k] = spectra.p24[k] = 1.0;
  }
  return spectra;
}

// Indicators of the left side in one band, by name.
std::map<std::string, double> left_side(const CrossSpectra& spectra, std::size_t band, const SfiOptions& options = {}) {
  std::vector<double> values;
  append_left_side(spectra, rate, options, values);
  const std::vector<IndicatorName> names = indicators_of_side(options, "12");
  EXPECT_EQ(values.size(), names.size() * bark_bands);
  std::map<std::string, double> found;
  for (std::size_t i = 0; i < names.size(); ++i) found[names[i].name] = values[i * bark_bands + band];
  return found;
}

constexpr std::size_t band = 2;  // 480 Hz, a single bin
constexpr double tolerance = 1e-9;

double kd_of(std::size_t bin) { return 2.0 * std::numbers::pi * 160.0 * static_cast<double>(bin) * 0.01 / 343.0; }

TEST(Indicators, OfASoundFromTheFront) {
  const double kd = kd_of(3);
  const auto found = left_side(plane_wave(0.0), band);
  EXPECT_NEAR(found.at("C12"), 1.0, tolerance);
  EXPECT_NEAR(found.at("G12_abs"), 0.0, tolerance);
  EXPECT_NEAR(found.at("G12_ph"), kd * 180.0 / std::numbers::pi, tolerance);
  EXPECT_NEAR(found.at("Ia12n"), 2.0 * std::tan(kd / 2.0) / kd, tolerance);
  EXPECT_NEAR(found.at("Ir12n"), 0.0, tolerance);
  EXPECT_NEAR(found.at("Z12n_abs"), 20.0 * std::log10(kd / 2.0 / std::tan(kd / 2.0)), tolerance);
  EXPECT_NEAR(found.at("Z12n_ph"), 0.0, tolerance);
  const double front = 4.0 * std::pow(std::sin(kd), 2) / std::pow(std::cos(kd / 2.0), 2);
  EXPECT_NEAR(found.at("fc12n_abs"), 10.0 * std::log10(front), tolerance);
  EXPECT_LT(found.at("bc12n_abs"), -120.0);  // the null of the back cardioid
}

TEST(Indicators, OfASoundFromTheSideAndTheBack) {
  const auto side = left_side(plane_wave(90.0), band);
  EXPECT_NEAR(side.at("betatilde12n"), 1.0, tolerance);
  EXPECT_NEAR(side.at("betaopt12n"), 1.0, tolerance);
  EXPECT_LT(side.at("ea12n_abs"), -120.0);
  EXPECT_NEAR(side.at("Ia12n"), 0.0, tolerance);
  const auto back = left_side(plane_wave(180.0), band);
  EXPECT_LT(back.at("Ia12n"), -1.0);
  EXPECT_LT(back.at("fc12n_abs"), -120.0);
  EXPECT_NEAR(back.at("betatilde12n"), 0.0, 1e-6);
}

TEST(Indicators, TheAdaptiveWeightPutsItsNullWhereTheSoundIs) {
  const double degrees = 120.0;
  const double kd = kd_of(3);
  const double cosine = std::cos(degrees * std::numbers::pi / 180.0);
  const auto found = left_side(plane_wave(degrees), band);
  EXPECT_NEAR(found.at("betatilde12n"), std::sin(kd * (1.0 + cosine) / 2.0) / std::sin(kd * (1.0 - cosine) / 2.0),
              tolerance);
  EXPECT_LT(found.at("ea12n_abs"), -120.0);
}

TEST(Indicators, FortySixOrFiftyFourAndTwentyOfASide) {
  SfiOptions options;
  EXPECT_EQ(all_indicators(options).size(), 46U);
  EXPECT_EQ(indicators_of_side(options, "34").size(), 20U);
  options.with_cross_psd = true;
  EXPECT_EQ(all_indicators(options).size(), 54U);
  const auto found = left_side(plane_wave(0.0, options), band, options);
  EXPECT_NEAR(found.at("P12_abs"), 0.0, tolerance);
  EXPECT_NEAR(found.at("P12_ph"), found.at("G12_ph"), tolerance);
}

TEST(Indicators, SilenceHasNumbers) {
  std::vector<double> values;
  append_all_indicators(CrossSpectra{}, rate, {}, values);
  ASSERT_EQ(values.size(), 920U);
  for (const double value : values) EXPECT_TRUE(std::isfinite(value));
  EXPECT_EQ(values[0], -300.0);
}

TEST(Indicators, TheTransferOfABeamIsAtMostItsPower) {
  SfiOptions transfer;
  transfer.cardioid_level = CardioidLevel::transfer;
  const Channels noise = noise_channels(4, 8192);
  const CrossSpectra spectra = Welch().spectra(views_of(noise), rate);
  for (std::size_t b = 0; b < bark_bands; ++b) {
    EXPECT_LE(left_side(spectra, b, transfer).at("fc12n_abs"), left_side(spectra, b).at("fc12n_abs") + tolerance);
  }
}

}  // namespace
}  // namespace motet::audio::indicators_test
