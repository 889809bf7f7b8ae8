#include "motet/audio/mono/events.h"

#include <gtest/gtest.h>

#include <cmath>
#include <fstream>
#include <sstream>

#include "audio/field_support.h"
#include "audio/golden_signal.h"
#include "motet/io/json.h"
#include "support/errors.h"

namespace motet::audio::events_test {
namespace {

// Both sides are double precision with sums of some hundred terms; coefficients are up to a few hundred.
constexpr double tolerance = 1e-9;

struct GoldenEvents {
  const char* name;
  double rate;
  double seconds;
  EventsOptions options;
  MfccOptions mel;
};

std::vector<GoldenEvents> golden_events() {
  return {
      {"usual", 16000.0, 2.0, {}, {}},
      {"memory", 22050.0, 1.0, {.events_contrast = false, .events_smooth = 1, .events_memory = 0.5}, {}},
      {"few",
       44100.0,
       1.0,
       {.events_mean = 5, .events_spread = 0, .events_flux = 3, .events_smooth = 0},
       {.low_hz = 100.0, .high_hz = 8000.0}},
      {"low-rate", 4000.0, 2.0, {.events_mean = 8, .events_spread = 4, .events_flux = 2}, {}},
      {"apart",
       16000.0,
       1.0,
       {.events_mean = 3, .events_spread = 2, .events_flux = 1, .events_smooth = 0},
       {.window = 0.05}},
  };
}

FeatureStream stream_of(const GoldenEvents& one) { return events_stream(one.options, one.mel, {one.rate, 1}); }

Channels sound_for(const GoldenEvents& one) {
  return {golden_signal(static_cast<std::size_t>(one.rate * one.seconds))};
}

TEST(Events, EqualAnIndependentComputation) {
  std::ifstream in(std::string(MOTET_TEST_DIR) + "/golden/audio/events.json");
  std::stringstream text;
  text << in.rdbuf();
  const Value golden = parse_json(text.str(), "events.json");
  for (const GoldenEvents& one : golden_events()) {
    SCOPED_TRACE(one.name);
    const Value& expected = golden.at(one.name);
    const FeatureStream stream = stream_of(one);
    const std::size_t width = stream.columns.size();
    const std::vector<double> rows = rows_of_whole(stream, sound_for(one));
    ASSERT_EQ(rows.size(), width * static_cast<std::size_t>(expected.at("rows").as_whole()));
    const Value::List& kept = expected.at("kept").as_list();
    for (std::size_t i = 0; i < kept.size(); ++i) {
      const Value::List& values = expected.at("values").as_list()[i].as_list();
      ASSERT_EQ(values.size(), width);
      for (std::size_t c = 0; c < width; ++c) {
        EXPECT_NEAR(rows[static_cast<std::size_t>(kept[i].as_number()) * width + c], values[c].as_number(), tolerance)
            << "row " << kept[i].as_number() << " " << stream.columns[c];
      }
    }
  }
}

TEST(Events, SameBitsWhateverTheBlocks) {
  for (const GoldenEvents& one : golden_events()) {
    SCOPED_TRACE(one.name);
    const Channels sound = sound_for(one);
    const std::vector<double> whole = rows_of_whole(stream_of(one), sound);
    for (const std::size_t block : {1U, 777U, 5000U}) EXPECT_EQ(rows_in_blocks(stream_of(one), sound, block), whole);
  }
}

TEST(Events, NamesUnitsAndAsManyRowsAsMfcc) {
  const FeatureStream stream = events_stream({}, {}, {16000.0, 1});
  EXPECT_EQ(stream.columns.size(), 78U);
  EXPECT_EQ(stream.columns[0], "mean0");
  EXPECT_EQ(stream.columns[40], "spread0");
  EXPECT_EQ(stream.columns[60], "flux0");
  EXPECT_EQ(stream.columns[77], "contrast7");
  EXPECT_EQ(stream.units, std::vector<std::string>(78, "dB"));
  for (const std::size_t samples : {3999U, 4000U, 5599U, 5600U, 40'000U}) {
    MfccStream mfcc(MfccOptions{}, 16000.0);
    const Channels noise = noise_channels(1, samples);
    std::vector<double> rows;
    mfcc.push(noise[0], rows);
    mfcc.finish(rows);
    EXPECT_EQ(rows_of_whole(events_stream({}, {}, {16000.0, 1}), noise).size() / 78, rows.size() / 13) << samples;
  }
}

TEST(Events, SilenceIsTheSameRowAgainAndAgain) {
  const std::vector<double> rows =
      rows_of_whole(events_stream({}, {}, {16000.0, 1}), Channels(1, std::vector<float>(32'000)));
  ASSERT_EQ(rows.size(), 18U * 78U);
  EXPECT_NEAR(rows[0], -100.0 * 8.0, 1e-9);  // 64 bands at -100 dB: sqrt(64) of that
  for (std::size_t i = 0; i < rows.size(); ++i) EXPECT_NEAR(rows[i], rows[i % 78], 1e-9);
  for (std::size_t c = 1; c < 78; ++c) EXPECT_NEAR(rows[c], 0.0, 1e-9);
}

// A tenth of a second, ten times as loud, and nothing far from it.
TEST(Events, SpreadRisesWithWhatIsShort) {
  Channels noise = noise_channels(1, 64'000);
  const std::vector<double> before = rows_of_whole(events_stream({}, {}, {16000.0, 1}), noise);
  for (std::size_t i = 32'000; i < 33'600; ++i) noise[0][i] *= 10.0F;
  const std::vector<double> after = rows_of_whole(events_stream({}, {}, {16000.0, 1}), noise);
  EXPECT_EQ(std::vector<double>(before.begin(), before.begin() + 78),
            std::vector<double>(after.begin(), after.begin() + 78));
  EXPECT_GT(after[19 * 78 + 40], before[19 * 78 + 40] + 5.0);
}

// By the formula of the header, from the levels of frames; one frame is a row here.
TEST(Events, NormalisedLevelsAreThoseOfTheFormula) {
  const Channels sound = noise_channels(1, 32'000);
  const MfccOptions mel{.window = 0.032, .hop = 0.0125};
  MfccOptions frames = mel;
  frames.bands = 64;
  MfccStream levels(frames, 16000.0, RowKind::log_mel);
  std::vector<double> expected;
  levels.push(sound[0], expected);
  levels.finish(expected);
  const EventsOptions options{.events_mean = 64,
                              .events_spread = 0,
                              .events_flux = 0,
                              .events_contrast = false,
                              .events_smooth = 0,
                              .events_pcen = 0.5};
  const FeatureStream stream = events_stream(options, mel, {16000.0, 1});
  EXPECT_EQ(stream.units, std::vector<std::string>(64, ""));
  const std::vector<double> rows = rows_of_whole(stream, sound);
  ASSERT_EQ(rows.size(), expected.size());
  std::vector<double> before(64);
  for (std::size_t f = 0; f < rows.size() / 64; ++f) {
    double squares = 0.0;
    double of_row = 0.0;
    double sum = 0.0;
    for (std::size_t b = 0; b < 64; ++b) {
      const double energy = std::pow(10.0, expected[f * 64 + b] / 10.0);
      before[b] = f == 0 ? energy : before[b] + (1.0 - std::exp(-0.0125 / 0.5)) * (energy - before[b]);
      const double level = 10.0 * (std::sqrt(energy / std::pow(before[b] + 1e-10, 0.98) + 2.0) - std::sqrt(2.0));
      sum += level / 8.0;  // coefficient 0 of the orthonormal transform
      squares += level * level;
      of_row += rows[f * 64 + b] * rows[f * 64 + b];
    }
    EXPECT_NEAR(rows[f * 64], sum, tolerance) << f;
    EXPECT_NEAR(of_row, squares, 1e-6) << f;  // the transform keeps lengths
  }
}

// A background that is thrice as loud as another has nearly the same normalised levels.
TEST(Events, NormalisedLevelsDoNotTellALevelThatStays) {
  Channels sound = noise_channels(1, 64'000);
  const GoldenEvents one{"pcen", 16000.0, 4.0, {.events_pcen = 1.0}, {}};
  const std::vector<double> soft = rows_of_whole(stream_of(one), sound);
  for (float& x : sound[0]) x *= 3.0F;
  const std::vector<double> loud = rows_of_whole(stream_of(one), sound);
  for (std::size_t i = 0; i < soft.size(); ++i) EXPECT_NEAR(soft[i], loud[i], 0.05 * std::abs(soft[i]) + 0.05);
  EXPECT_EQ(rows_in_blocks(stream_of(one), sound, 777), loud);
}

TEST(Events, WhatIsWrongIsTold) {
  EXPECT_EQ(error_of(
                [] {
                  events_stream({.events_mean = 65}, {}, {16000.0, 1});
                },
                ErrorKind::usage),
            "--events-mean 65 is outside [1, 64]");
  EXPECT_EQ(error_of(
                [] {
                  events_stream({}, {.window = 0.001}, {2000.0, 1});
                },
                ErrorKind::usage),
            "--window 0.001 s is 2 samples at 2000 Hz; at least 4 are needed");
}

}  // namespace
}  // namespace motet::audio::events_test
