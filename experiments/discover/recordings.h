// Recordings with rare events whose truth is known, for judging searches: a background with incidents that nobody asked
// for, and events of three to six classes, from clear to barely audible.
//
// The kinds are parted beforehand: settings are chosen on half A and judged on the others, which share neither
// backgrounds nor families of events with it. Kinds made of public clips (audio/ of the public data) are in half B
// only. Half B was looked at while features, ways of asking and segments were built; C was made afterwards.
//
//   half  backgrounds                                       families of events
//   A     rain, hum, surf, babble, drift                    sweep, clicks, bell, burst, trill, thump, growl
//   B     wind, traffic, insects, creek, workshop,          knock, call, alarm, hiss, squeak, pluck, fly, and clips of
//         recorded weather, engines and birds               roosters, crows, church bells and footsteps
//   C     frogs, train, reeds, boiler, radio                cuckoo, bounce, siren, bark, scrape, crackle, zap
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "experiments/discover/recording_backgrounds.h"
#include "experiments/discover/recording_events.h"
#include "motet/base/rng.h"
#include "motet/data/segment.h"

namespace motet::discover {

enum class RecordingHalf { a, b, c };

struct RecordingKind {
  std::string_view name;
  RecordingHalf half = RecordingHalf::a;
  std::optional<MadeBackground> made;            // none: of clips
  std::span<const std::string_view> clips = {};  // categories
};

std::span<const RecordingKind> recording_kinds();
std::span<const EventFamily> families_of(RecordingHalf half);

struct RecordingOptions {
  double seconds = 0.0;              // 0: drawn, 300 to 720
  double rate = 0.0;                 // Hz, at least 8000; 0: drawn, 16000 or 22050
  std::string clips;                 // folder with clips.csv; the kinds made of clips need it
  bool is_silent_of_events = false;  // the same recording, its events left out of the sound but not of the truth
  std::size_t sitting = 0;           // another: the same classes heard again, elsewhere in another background
  std::size_t classes_left_out = 0;  // of the last that were drawn
};

struct MadeRecording {
  std::string name;  // of its kind
  double rate = 0.0;
  std::vector<float> samples;
  std::vector<Segment> truth;  // in the order of time, at least 1 s apart; what is between them is background
};

// The kinds that can be made: without clips.csv in the folder not those that need it.
std::vector<RecordingKind> kinds_that_can_be_made(const RecordingOptions& options);

// Three to six classes of one to eight occurrences, a third of the classes with a single one. The amplitude of an
// occurrence is 0.15 to 1.5 times that of the background it covers, roots of mean squares both. A kind made of clips
// that are not there throws Error{bad_data}.
MadeRecording generate_recording(const RecordingKind& kind, const RecordingOptions& options, Rng rng);

}  // namespace motet::discover
