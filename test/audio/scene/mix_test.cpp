#include "motet/audio/scene/mix.h"

#include <algorithm>
#include <cmath>

#include "audio/field_support.h"
#include "support/errors.h"

namespace motet::audio::mix_test {
namespace {

Sound one_channel(std::vector<float> samples, double rate = 10.0) { return {rate, {std::move(samples)}}; }

double level_of(std::span<const float> sound) {
  double sum = 0.0;
  for (const float x : sound) sum += static_cast<double>(x) * static_cast<double>(x);
  return sum / static_cast<double>(sound.size());
}

TEST(Mix, ByTheFormulas) {
  const std::vector<Foreground> song = {{"song", one_channel({1.0F, -1.0F})}};
  const std::vector<std::size_t> first = {1};
  const Mixture mixture = mix(one_channel({0.5F, 0.3F, 0.4F, 0.1F}), song, first, 0.5);
  const double factor = 0.5 * std::sqrt((0.09 + 0.16) / 2.0);
  EXPECT_NEAR(mixture.placed[0].factor, factor, 1e-7);
  const std::vector<float>& sound = mixture.sound.channels[0];
  EXPECT_EQ(sound[0], 0.5F);
  EXPECT_NEAR(sound[1], 0.3 + factor, 1e-6);
  EXPECT_NEAR(sound[2], 0.4 - factor, 1e-6);
  EXPECT_EQ(sound[3], 0.1F);
}

TEST(Mix, AGainOfOneIsAsStrongAsTheBackgroundAndARatioIsOne) {
  const Channels noise = noise_channels(2, 20'000);
  const std::vector<Foreground> song = {{"song", one_channel({noise[1].begin(), noise[1].begin() + 8000})}};
  for (const double decibels : {-6.0, 0.0, 10.0}) {
    const std::vector<std::size_t> first = {5000};
    const Mixture mixture = mix(one_channel(noise[0]), song, first, gain_of_ratio(decibels));
    std::vector<float> added(8000);
    for (std::size_t t = 0; t < 8000; ++t) added[t] = mixture.sound.channels[0][5000 + t] - noise[0][5000 + t];
    const double ratio = level_of(added) / level_of(std::span(noise[0]).subspan(5000, 8000));
    EXPECT_NEAR(10.0 * std::log10(ratio), decibels, 1e-3);
  }
}

TEST(Mix, RandomPlacesDoNotOverlapAndDependOnTheSeedAlone) {
  const std::vector<Foreground> songs(3, {"song", one_channel(std::vector<float>(30, 1.0F))});
  for (std::uint64_t seed = 0; seed < 50; ++seed) {
    std::vector<std::size_t> first = random_places(100, songs, Rng(Seed{seed}));
    EXPECT_EQ(first, random_places(100, songs, Rng(Seed{seed})));
    std::sort(first.begin(), first.end());
    EXPECT_GE(first[1], first[0] + 30);
    EXPECT_GE(first[2], first[1] + 30);
    EXPECT_LE(first[2], 70U);
  }
  EXPECT_EQ(error_of([&] { random_places(89, songs, Rng(Seed{1})); }, ErrorKind::unanswerable),
            "the foregrounds are longer than the background and cannot lie beside each other; give places with --at, "
            "where they may overlap");
}

TEST(Mix, ARowHasTheLabelsOfAllThatShareASampleWithIt) {
  Mixture mixture;
  mixture.sound = one_channel(std::vector<float>(40));
  mixture.placed = {{"b", 12, 6, 1.0}, {"a", 5, 5, 1.0}};
  EXPECT_EQ(labels_of_rows(mixture, {0.4, 0.5}, "none"),
            (std::vector<std::string>{"none", "a", "a|b", "b", "b", "none", "none", "none", "none"}));
  const std::vector<Segment> segments = segments_of(mixture, "x.wav");
  EXPECT_EQ(segments[0].label, "a");
  EXPECT_EQ(segments[0].begin, 0.5);
  EXPECT_EQ(segments[1].end, 1.8);
}

// 3.5 s heard by windows of 0.25 s every 0.1 s: 37 or 38 of them, by where the song begins.
TEST(Mix, ASongOfThreeAndAHalfSecondsIsInThirtySevenRowsOrOneMore) {
  Mixture mixture;
  mixture.sound = {1000.0, {std::vector<float>(20'000)}};
  for (const std::size_t first : {5000U, 5030U, 5049U, 5051U, 5099U}) {
    mixture.placed = {{"song", first, 3500, 1.0}};
    const std::vector<std::string> labels = labels_of_rows(mixture, {0.1, 0.25}, "");
    const auto rows = std::count(labels.begin(), labels.end(), "song");
    EXPECT_TRUE(rows == 37 || rows == 38) << rows;
  }
}

TEST(Mix, BadInput) {
  const std::vector<std::size_t> first = {3};
  const auto error = [&](Foreground foreground) {
    return error_of(
        [&] {
          mix(one_channel({1, 1, 1, 1, 0}), std::span(&foreground, 1), first, 1.0);
        },
        ErrorKind::bad_data);
  };
  EXPECT_EQ(error({"x", one_channel({1}, 20.0)}), "x: has 20 Hz and the background 10 Hz; --rate brings both to one");
  EXPECT_EQ(error({"x", {10.0, {{1}, {1}}}}),
            "x: has 2 channels and the background 1; one channel goes into each, or both have the same number");
  EXPECT_EQ(error({"x", one_channel({1, 1, 1})}), "x: 0.3 s from 0.3 s on go beyond the 0.5 s of the background");
  EXPECT_EQ(error({"x", one_channel({0, 0})}), "x: it is silent, and silence has no level to compare with");
  const std::vector<std::size_t> last = {4};
  const std::vector<Foreground> song = {{"x", one_channel({1})}};
  EXPECT_EQ(error_of(
                [&] {
                  mix(one_channel({1, 1, 1, 1, 0}), song, last, 1.0);
                },
                ErrorKind::bad_data),
            "x: the background under it is silent, and silence has no level to compare with");
}

}  // namespace
}  // namespace motet::audio::mix_test
