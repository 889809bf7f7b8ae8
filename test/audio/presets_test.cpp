#include "motet/audio/presets.h"

#include <gtest/gtest.h>

namespace motet::audio::presets_test {
namespace {

const auto nothing = [](std::string_view) { return false; };

TEST(Presets, NoneLeavesTheOptionsAlone) {
  MfccOptions options{.coefficients = 7, .window = 0.1};
  apply_preset(Preset::none, options, nothing);
  EXPECT_EQ(options.coefficients, 7U);
  EXPECT_EQ(options.window, 0.1);
}

TEST(Presets, SetTheDefaults) {
  MfccOptions options;
  apply_preset(Preset::librosa, options, nothing);
  EXPECT_EQ(options.window_samples, 2048U);
  EXPECT_EQ(options.hop_samples, 512U);
  EXPECT_EQ(options.coefficients, 20U);
  EXPECT_TRUE(options.centre);
  apply_preset(Preset::kaldi, options, nothing);
  EXPECT_EQ(options.mfcc_style, MfccStyle::kaldi);
  EXPECT_EQ(options.window_samples, 0U);
  EXPECT_EQ(options.bands, 23U);
  EXPECT_FALSE(options.centre);
  apply_preset(Preset::single_dft, options, nothing);
  EXPECT_EQ(options.hop, 0.8);
  apply_preset(Preset::slaney, options, nothing);
  EXPECT_EQ(options.window_samples, 256U);
}

TEST(Presets, WhatWasSaidHolds) {
  MfccOptions options{.window = 0.03, .bands = 64};
  apply_preset(Preset::librosa, options, [](std::string_view name) { return name == "window" || name == "bands"; });
  EXPECT_EQ(options.window, 0.03);
  EXPECT_EQ(options.window_samples, 0U);  // seconds were said, so they count
  EXPECT_EQ(options.hop_samples, 512U);
  EXPECT_EQ(options.bands, 64U);
}

}  // namespace
}  // namespace motet::audio::presets_test
