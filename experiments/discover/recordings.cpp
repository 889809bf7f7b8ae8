#include "experiments/discover/recordings.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "experiments/discover/recorded_clips.h"
#include "motet/base/error.h"

namespace motet::discover {
namespace {

constexpr std::array<std::string_view, 3> weather = {"rain", "wind", "thunderstorm"};
constexpr std::array<std::string_view, 1> engines = {"engine"};
constexpr std::array<std::string_view, 1> birds = {"chirping_birds"};
constexpr std::array<std::string_view, 4> clip_events = {"rooster", "crow", "church_bells", "footsteps"};

constexpr std::array known_kinds = {
    RecordingKind{"rain", RecordingHalf::a, MadeBackground::rain},
    RecordingKind{"hum", RecordingHalf::a, MadeBackground::hum},
    RecordingKind{"surf", RecordingHalf::a, MadeBackground::surf},
    RecordingKind{"babble", RecordingHalf::a, MadeBackground::babble},
    RecordingKind{"drift", RecordingHalf::a, MadeBackground::drift},
    RecordingKind{"wind", RecordingHalf::b, MadeBackground::wind},
    RecordingKind{"traffic", RecordingHalf::b, MadeBackground::traffic},
    RecordingKind{"insects", RecordingHalf::b, MadeBackground::insects},
    RecordingKind{"creek", RecordingHalf::b, MadeBackground::creek},
    RecordingKind{"workshop", RecordingHalf::b, MadeBackground::workshop},
    RecordingKind{"recorded-weather", RecordingHalf::b, {}, weather},
    RecordingKind{"recorded-engine", RecordingHalf::b, {}, engines},
    RecordingKind{"recorded-birds", RecordingHalf::b, {}, birds},
    RecordingKind{"frogs", RecordingHalf::c, MadeBackground::frogs},
    RecordingKind{"train", RecordingHalf::c, MadeBackground::train},
    RecordingKind{"reeds", RecordingHalf::c, MadeBackground::reeds},
    RecordingKind{"boiler", RecordingHalf::c, MadeBackground::boiler},
    RecordingKind{"radio", RecordingHalf::c, MadeBackground::radio},
};

constexpr std::array families_a = {EventFamily::sweep, EventFamily::clicks, EventFamily::bell, EventFamily::burst,
                                   EventFamily::trill, EventFamily::thump,  EventFamily::growl};
constexpr std::array families_b = {EventFamily::knock,  EventFamily::call,  EventFamily::alarm, EventFamily::hiss,
                                   EventFamily::squeak, EventFamily::pluck, EventFamily::fly};
constexpr std::array families_c = {EventFamily::cuckoo, EventFamily::bounce,  EventFamily::siren, EventFamily::bark,
                                   EventFamily::scrape, EventFamily::crackle, EventFamily::zap};

constexpr double least_gain = 0.15;
constexpr double most_gain = 1.5;
constexpr double microphone_noise = 0.0003;  // 44 dB below the background
constexpr double pause_seconds = 1.0;        // between events
constexpr std::size_t place_tries = 1000;

// Of 1, 2, ... 8 occurrences.
constexpr std::array<double, 8> occurrence_weights = {0.35, 0.2, 0.15, 0.1, 0.08, 0.05, 0.04, 0.03};

struct DrawnClass {
  std::string name;
  EventFamily family = EventFamily::sweep;
  std::string category;  // of clips; empty: made
  double gain = 1.0;
  std::size_t occurrences = 1;
  Rng rng{Seed{0}};
};

// Without a family twice while there are others; of a recorded kind two to four classes are clips.
std::vector<DrawnClass> draw_classes(const RecordingKind& kind, Rng rng) {
  const std::size_t count = 3 + rng.below(4);
  std::vector<EventFamily> families(families_of(kind.half).begin(), families_of(kind.half).end());
  std::vector<std::string_view> categories(clip_events.begin(), clip_events.end());
  const std::size_t clips = kind.made ? 0 : std::min(count, 2 + rng.below(3));
  std::vector<DrawnClass> classes(count);
  for (std::size_t c = 0; c < count; ++c) {
    DrawnClass& drawn = classes[c];
    if (c < clips) {
      const auto at = static_cast<std::ptrdiff_t>(rng.below(categories.size()));
      drawn.category = drawn.name = categories[static_cast<std::size_t>(at)];
      categories.erase(categories.begin() + at);
    } else {
      const auto at = static_cast<std::ptrdiff_t>(rng.below(families.size()));
      drawn.family = families[static_cast<std::size_t>(at)];
      drawn.name = name_of(drawn.family);
      families.erase(families.begin() + at);
    }
    drawn.gain = log_uniform(rng, least_gain, most_gain);
    drawn.occurrences = 1 + rng.categorical(occurrence_weights);
    drawn.rng = rng.child(c);
  }
  return classes;
}

struct DrawnEvent {
  std::string label;
  double gain = 1.0;
  Wave wave;
  std::size_t first = 0;
};

// The first of each class before the second of any, so that what finds no place is never all of a class.
std::vector<DrawnEvent> draw_events(const std::vector<DrawnClass>& classes, const RecordedClips& clips, double rate,
                                    std::size_t sitting) {
  std::vector<DrawnEvent> events;
  for (std::size_t n = 0; n < occurrence_weights.size(); ++n) {
    for (const DrawnClass& drawn : classes) {
      if (n >= drawn.occurrences) continue;
      Rng rng = drawn.rng.child(1000 * sitting + 2 * n + 1);
      const double gain = std::clamp(drawn.gain * log_uniform(rng, 0.8, 1.25), least_gain, most_gain);
      Wave wave = drawn.category.empty() ? made_event(drawn.family, rate, drawn.rng.child(0), rng.child(0))
                                         : event_of_clips(clips.at(drawn.category), rate, rng.child(0));
      events.push_back({drawn.name, gain, std::move(wave)});
    }
  }
  return events;
}

// Events that find no place beside the others are left out.
std::vector<DrawnEvent> placed_events(std::vector<DrawnEvent> events, std::size_t samples, double rate, Rng rng) {
  const std::size_t pause = samples_of(pause_seconds, rate);
  std::vector<DrawnEvent> placed;
  for (DrawnEvent& event : events) {
    const std::size_t room = event.wave.size() + 2 * pause;
    if (room >= samples) continue;
    for (std::size_t tries = 0; tries < place_tries; ++tries) {
      event.first = pause + rng.below(samples - room);
      const bool is_taken = std::any_of(placed.begin(), placed.end(), [&](const DrawnEvent& other) {
        return event.first < other.first + other.wave.size() + pause &&
               other.first < event.first + event.wave.size() + pause;
      });
      if (is_taken) continue;
      placed.push_back(std::move(event));
      break;
    }
  }
  std::sort(placed.begin(), placed.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
  return placed;
}

std::vector<float> to_samples(const Wave& sound) {
  double loudest = 0.0;
  for (const double x : sound) loudest = std::max(loudest, std::abs(x));
  const double gain = loudest > 0.9 ? 0.9 / loudest : 1.0;
  std::vector<float> samples(sound.size());
  for (std::size_t i = 0; i < sound.size(); ++i) samples[i] = static_cast<float>(gain * sound[i]);
  return samples;
}

Wave draw_background(const RecordingKind& kind, const RecordedClips& clips, double seconds, double rate, Rng rng) {
  if (kind.made) return made_background(*kind.made, seconds, rate, rng);
  Rng lots = rng.child(0);
  const std::vector<std::string> category{std::string(kind.clips[lots.below(kind.clips.size())])};
  Wave sound = background_of_clips(clips, category, seconds, rate, rng.child(1));
  to_usual_level(sound);
  return sound;
}

}  // namespace

std::span<const RecordingKind> recording_kinds() { return known_kinds; }

std::span<const EventFamily> families_of(RecordingHalf half) {
  switch (half) {
    case RecordingHalf::a: return families_a;
    case RecordingHalf::b: return families_b;
    case RecordingHalf::c: return families_c;
  }
  return {};
}

std::vector<RecordingKind> kinds_that_can_be_made(const RecordingOptions& options) {
  std::vector<RecordingKind> made(known_kinds.begin(), known_kinds.end());
  if (!has_clips(options.clips)) std::erase_if(made, [](const RecordingKind& kind) { return !kind.made; });
  return made;
}

MadeRecording generate_recording(const RecordingKind& kind, const RecordingOptions& options, Rng rng) {
  Rng lots = rng.child(0);
  const double drawn_seconds = std::round(lots.uniform(300.0, 720.0));
  const double drawn_rate = lots.below(2) == 0 ? 16000.0 : 22050.0;
  const double seconds = options.seconds > 0.0 ? options.seconds : drawn_seconds;
  MadeRecording made;
  made.name = kind.name;
  made.rate = options.rate > 0.0 ? options.rate : drawn_rate;
  const RecordedClips clips = kind.made ? RecordedClips{} : read_clips(options.clips, made.rate);
  if (!kind.made && clips.empty()) {
    fail(ErrorKind::bad_data, fmt::format("recordings of kind {} need the public clips, audio/clips.csv", kind.name));
  }
  const auto of_sitting = [&](std::uint64_t stream) {
    return options.sitting == 0 ? rng.child(stream) : rng.child(1000 * options.sitting + stream);
  };
  Wave sound = draw_background(kind, clips, seconds, made.rate, of_sitting(1));
  add_incidents(sound, made.rate, of_sitting(2));
  Rng hiss = of_sitting(5);
  for (double& x : sound) x += microphone_noise * flat_noise(hiss);
  const Wave covered = sound;
  std::vector<DrawnClass> classes = draw_classes(kind, rng.child(3));
  classes.resize(classes.size() - std::min(classes.size(), options.classes_left_out));
  for (const DrawnEvent& event :
       placed_events(draw_events(classes, clips, made.rate, options.sitting), sound.size(), made.rate, of_sitting(4))) {
    const double power = mean_square(event.wave);
    if (power <= 0.0) continue;
    const double below = mean_square(std::span(covered).subspan(event.first, event.wave.size()));
    const double gain = options.is_silent_of_events ? 0.0 : event.gain;
    add_at(sound, event.first, event.wave, gain * std::sqrt(below / power));
    const double begin = static_cast<double>(event.first) / made.rate;
    made.truth.push_back({made.name, begin, begin + static_cast<double>(event.wave.size()) / made.rate, event.label});
  }
  made.samples = to_samples(sound);
  return made;
}

}  // namespace motet::discover
