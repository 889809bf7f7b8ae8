#include "experiments/discover/recordings.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <map>
#include <set>

#include "io/support.h"
#include "motet/io/sound_file.h"
#include "support/errors.h"

namespace motet::discover::recordings_test {
namespace {

constexpr RecordingOptions one_minute{60.0, 8000.0, ""};

MadeRecording made_of(std::size_t kind, std::uint64_t seed, const RecordingOptions& options = one_minute) {
  return generate_recording(recording_kinds()[kind], options, Rng(Seed{seed}));
}

// Those that need no clips.
std::vector<std::size_t> made_kinds() {
  std::vector<std::size_t> made;
  for (std::size_t kind = 0; kind < recording_kinds().size(); ++kind) {
    if (recording_kinds()[kind].made) made.push_back(kind);
  }
  return made;
}

std::map<std::string, std::size_t> occurrences_in(const MadeRecording& recording) {
  std::map<std::string, std::size_t> occurrences;
  for (const Segment& segment : recording.truth) ++occurrences[segment.label];
  return occurrences;
}

TEST(Recordings, TheHalvesShareNoFamily) {
  std::set<EventFamily> seen;
  for (const RecordingHalf half : {RecordingHalf::a, RecordingHalf::b, RecordingHalf::c}) {
    for (const EventFamily family : families_of(half)) EXPECT_TRUE(seen.insert(family).second) << name_of(family);
  }
  EXPECT_EQ(seen.size(), 21U);
  std::set<std::string_view> names;
  for (const RecordingKind& kind : recording_kinds()) {
    EXPECT_TRUE(names.insert(kind.name).second) << kind.name;
    EXPECT_TRUE(kind.made || kind.half == RecordingHalf::b) << kind.name << ": clips are judged, never tuned on";
  }
  EXPECT_EQ(names.size(), 18U);
  EXPECT_EQ(kinds_that_can_be_made({}).size(), 15U);
}

TEST(Recordings, HaveThreeToSixClassesOfOneToEightEventsApart) {
  const std::vector<std::size_t> kinds = made_kinds();
  for (std::size_t seed = 0; seed < kinds.size(); ++seed) {
    const std::size_t kind = kinds[seed];
    const MadeRecording made = made_of(kind, seed, {300.0, 8000.0, ""});
    SCOPED_TRACE(made.name);
    const auto occurrences = occurrences_in(made);
    EXPECT_GE(occurrences.size(), 3U);
    EXPECT_LE(occurrences.size(), 6U);
    const auto& families = families_of(recording_kinds()[kind].half);
    for (const auto& [name, count] : occurrences) {
      EXPECT_LE(count, 8U) << name;
      EXPECT_TRUE(std::any_of(families.begin(), families.end(), [&](auto f) { return name_of(f) == name; })) << name;
    }
    double before = 0.0;
    for (const Segment& segment : made.truth) {
      EXPECT_GE(segment.begin, before + 0.999);
      EXPECT_GE(segment.end - segment.begin, shortest_event - 0.001);
      EXPECT_LE(segment.end - segment.begin, longest_event + 0.001);
      before = segment.end;
    }
    EXPECT_LE(before, 299.001);
  }
}

TEST(Recordings, AreSoundAndTheSameBySeed) {
  for (const std::size_t kind : made_kinds()) {
    const MadeRecording made = made_of(kind, 5);
    SCOPED_TRACE(made.name);
    ASSERT_EQ(made.samples.size(), 480'000U);
    double power = 0.0;
    for (const float x : made.samples) {
      ASSERT_TRUE(std::isfinite(x));
      ASSERT_LE(std::abs(x), 0.9001F);
      power += static_cast<double>(x) * static_cast<double>(x);
    }
    EXPECT_GT(std::sqrt(power / 480'000.0), 0.005);
    EXPECT_EQ(made.samples, made_of(kind, 5).samples);
    EXPECT_NE(made.samples, made_of(kind, 6).samples);
  }
}

// What the events add to the same recording without them.
TEST(Recordings, EventsAreAsLoudAsSaidAndNowhereElse) {
  RecordingOptions without = one_minute;
  without.is_silent_of_events = true;
  double least = 10.0;
  double most = 0.0;
  for (const std::size_t kind : made_kinds()) {
    const MadeRecording made = made_of(kind, 40 + kind);
    const MadeRecording bare = made_of(kind, 40 + kind, without);
    SCOPED_TRACE(made.name);
    ASSERT_EQ(made.truth.size(), bare.truth.size());
    const float factor = made.samples[0] / bare.samples[0];  // below 1 where the events would be too loud for a file
    EXPECT_LE(factor, 1.0F);
    EXPECT_GT(factor, 0.5F);
    std::size_t at = 0;
    for (const Segment& segment : made.truth) {
      const auto first = static_cast<std::size_t>(std::lround(segment.begin * 8000.0));
      const auto end = static_cast<std::size_t>(std::lround(segment.end * 8000.0));
      for (; at < first; ++at) ASSERT_NEAR(made.samples[at], factor * bare.samples[at], 1e-6F);
      double added = 0.0;
      double covered = 0.0;
      for (; at < end; ++at) {
        added += std::pow(static_cast<double>(made.samples[at] - factor * bare.samples[at]), 2.0);
        covered += std::pow(static_cast<double>(factor * bare.samples[at]), 2.0);
      }
      least = std::min(least, std::sqrt(added / covered));
      most = std::max(most, std::sqrt(added / covered));
    }
  }
  EXPECT_GT(least, 0.149);
  EXPECT_LT(least, 0.25);
  EXPECT_LT(most, 1.51);
  EXPECT_GT(most, 1.0);
}

TEST(Recordings, OccurrencesOfAClassVary) {
  Rng rng(Seed{3});
  for (const RecordingHalf half : {RecordingHalf::a, RecordingHalf::b, RecordingHalf::c}) {
    for (const EventFamily family : families_of(half)) {
      for (std::uint64_t n = 0; n < 5; ++n) {
        const Wave wave = made_event(family, 16000.0, rng.child(n), rng.child(100 + n));
        SCOPED_TRACE(name_of(family));
        EXPECT_GE(wave.size(), 4800U);
        EXPECT_LE(wave.size(), 96000U);
        EXPECT_GT(mean_square(wave), 1e-6);
        for (const double x : wave) ASSERT_TRUE(std::isfinite(x));
        EXPECT_EQ(wave, made_event(family, 16000.0, rng.child(n), rng.child(100 + n)));
        EXPECT_NE(wave, made_event(family, 16000.0, rng.child(n), rng.child(200 + n)));
      }
    }
  }
}

TEST(Recordings, AnotherSittingHasTheSameClassesElsewhere) {
  RecordingOptions again{300.0, 8000.0, ""};
  const MadeRecording first = made_of(1, 9, again);
  again.sitting = 1;
  const MadeRecording second = made_of(1, 9, again);
  EXPECT_EQ(occurrences_in(first), occurrences_in(second));
  EXPECT_NE(first.samples, second.samples);
  EXPECT_NE(first.truth.front().begin, second.truth.front().begin);
  again.classes_left_out = 1;
  EXPECT_EQ(occurrences_in(made_of(1, 9, again)).size() + 1, occurrences_in(first).size());
}

TEST(Recordings, LengthAndRateAreDrawn) {
  std::set<double> rates;
  for (std::uint64_t seed = 0; seed < 4; ++seed) {
    const MadeRecording made = made_of(4, seed, {});
    const double seconds = static_cast<double>(made.samples.size()) / made.rate;
    EXPECT_GE(seconds, 300.0);
    EXPECT_LE(seconds, 720.0);
    rates.insert(made.rate);
  }
  EXPECT_EQ(rates, (std::set<double>{16000.0, 22050.0}));
}

// A folder of clips in which every category is a tone of its own.
void write_clips(const TemporaryFolder& folder) {
  std::string list = "file,category\n";
  double hertz = 200.0;
  for (const std::string category :
       {"rain", "wind", "thunderstorm", "engine", "chirping_birds", "rooster", "crow", "church_bells", "footsteps"}) {
    std::vector<float> samples(16000);
    for (std::size_t i = 2000; i < 14000; ++i)
      samples[i] = 0.3F * std::sin(static_cast<float>(i) * 6.2832F * static_cast<float>(hertz) / 8000.0F);
    write_wav(folder / (category + ".wav"), {8000.0, {samples}});
    list += category + ".wav," + category + "\n";
    hertz += 150.0;
  }
  folder.write("clips.csv", list);
}

TEST(Recordings, AreMadeOfClips) {
  const TemporaryFolder folder;
  write_clips(folder);
  const RecordingOptions options{60.0, 8000.0, folder / ""};
  EXPECT_EQ(kinds_that_can_be_made(options).size(), 18U);
  std::set<std::string> labels;
  for (std::size_t kind = 10; kind < 13; ++kind) {
    const MadeRecording made = made_of(kind, kind, options);
    EXPECT_EQ(made.samples, made_of(kind, kind, options).samples);
    for (const auto& [name, count] : occurrences_in(made)) labels.insert(name);
  }
  EXPECT_TRUE(labels.contains("crow") || labels.contains("rooster"));
  EXPECT_EQ(refusal([] { made_of(10, 1); }),
            "recordings of kind recorded-weather need the public clips, audio/clips.csv");
}

}  // namespace
}  // namespace motet::discover::recordings_test
