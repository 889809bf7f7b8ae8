#include "motet/audio/spectrum/row_plan.h"

#include <gtest/gtest.h>

namespace motet::audio::row_plan_test {
namespace {

TEST(RowPlan, OfTheDefaultsIsAWindowWithZerosBehindIt) {
  const RowPlan plan = row_plan({}, 44100.0, RowKind::mfcc);
  EXPECT_EQ(plan.frame.taper.size(), 11025U);
  EXPECT_EQ(plan.frame.fft_size, 16384U);
  EXPECT_EQ(plan.cut.hop, 4410.0);
  EXPECT_FALSE(plan.cut.centred);
  EXPECT_EQ(plan.width, 13U);
  EXPECT_EQ(plan.unit, "dB");
  EXPECT_TRUE(plan.lifter.empty());
}

TEST(RowPlan, SamplesHoldAtAnyRate) {
  MfccOptions options;
  options.window_samples = 2048;
  options.hop_samples = 512;
  options.centre = true;
  for (const double rate : {8000.0, 22050.0, 44100.0}) {
    const RowPlan plan = row_plan(options, rate, RowKind::log_mel);
    EXPECT_EQ(plan.frame.taper.size(), 2048U);
    EXPECT_EQ(plan.cut.hop, 512.0);
    EXPECT_EQ(plan.cut.before, 1024U);
    EXPECT_EQ(plan.clock, (FrameClock{512.0 / rate, 512.0 / rate}));
  }
}

TEST(RowPlan, ATransformOfItsOwnSizeHasTheWindowInItsMiddle) {
  MfccOptions options;
  options.window_samples = 300;
  options.fft_size = 401;
  const RowPlan plan = row_plan(options, 16000.0, RowKind::spectrogram);
  EXPECT_EQ(plan.frame.taper.size(), 401U);
  EXPECT_EQ(plan.frame.taper[49], 0.0);
  EXPECT_GT(plan.frame.taper[51], 0.0);
  EXPECT_EQ(plan.width, 201U);
  EXPECT_TRUE(plan.cut.is_odd);
}

TEST(RowPlan, UnitsAndNamesFollowTheStyle) {
  MfccOptions options;
  options.mfcc_style = MfccStyle::single_dft;
  const RowPlan single = row_plan(options, 20480.0, RowKind::mfcc);
  EXPECT_EQ(single.columns.front(), "mfcc1");
  EXPECT_EQ(single.columns.back(), "mfcc13");
  EXPECT_EQ(single.unit, "log10");
  options.mfcc_style = MfccStyle::kaldi;
  EXPECT_EQ(row_plan(options, 20480.0, RowKind::mfcc).unit, "ln");
  options.mfcc_style = MfccStyle::slaney;
  EXPECT_EQ(row_plan(options, 20480.0, RowKind::mel).unit, "magnitude");
  EXPECT_TRUE(row_plan(options, 20480.0, RowKind::mel).is_mean);
}

}  // namespace
}  // namespace motet::audio::row_plan_test
