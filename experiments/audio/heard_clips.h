// Clips of the five hearing activities in rooms, and the features of one frame of each.
//
// 24 clips of speech, of noise and of music; 40 of speech in low noise (5, 10, 15 dB) and 40 in high noise (2, 0, -5
// dB). They are played in front of a head with two microphones at each ear, in rooms of ten reverberation times with
// four responses each (scene/room.h), 0 to 10 dB of direct over reverberant sound, 6 dB louder or softer, with the
// noise of each microphone 60 dB below full scale. Frame 15 is taken: 11.2 to 12 s. Clips go round, so that a room has
// rung for as long as it takes.
#pragma once

#include <array>
#include <cstddef>
#include <string>
#include <vector>

#include "experiments/audio/everyday_sounds.h"
#include "motet/audio/scenes/study.h"
#include "motet/base/parallel.h"
#include "motet/data/sound.h"

namespace motet::audio {

constexpr std::array<double, 10> heard_t60 = {0.52, 0.74, 1.06, 1.5, 2.1, 3.1, 4.53, 6.2, 8.8, 12.6};  // s
constexpr std::size_t responses_per_t60 = 4;

enum class Activity { speech, noise, music, low_noise, high_noise };
const std::vector<std::string>& activity_names();

struct DryClip {
  Activity activity = Activity::speech;
  std::size_t source = 0;  // mixtures share theirs with the speech and the noise they are made of
  std::vector<float> sound;
};

// `noises`: in place of those made by rule; empty: none. `count`: clips of speech, of noise and of music.
std::vector<DryClip> dry_clips(std::size_t count, const std::vector<std::vector<float>>& noises, Rng rng,
                               Threads threads);

// One clip in one room.
struct Hearing {
  std::size_t clip = 0;
  std::size_t response = 0;  // t60 times responses_per_t60 and the number among those of one t60
};

// Each clip in `rooms` rooms of different T60; `t60`: all in rooms of this one instead.
std::vector<Hearing> hearings_of(const std::vector<DryClip>& clips, std::size_t rooms, Rng rng);
std::vector<Hearing> hearings_at(const std::vector<DryClip>& clips, std::size_t t60, Rng rng);

// All features of all hearings: columns of sfi, sfi-st, mfcc, asa, music. Without a target.
// `waves` of the reverberation: fewer are quicker.
Clips heard_features(const std::vector<DryClip>& clips, const std::vector<Hearing>& hearings, std::size_t waves,
                     const RunContext& run);

Target activities_of(const std::vector<DryClip>& clips, const std::vector<Hearing>& hearings);
Target t60_of(const std::vector<Hearing>& hearings);

struct HeardSet {
  std::string name;
  std::string printed;  // "SFIst"
  std::size_t first = 0;
  std::size_t count = 0;
  std::string ending{};  // of the columns; empty: all
};
const std::vector<HeardSet>& heard_sets();  // in the order of the figures
Clips columns_of(const Clips& all, const HeardSet& set);

// What the rows of `kept` are of.
Clips some_clips(const Clips& all, const std::vector<std::uint32_t>& kept);

// The recordings of a folder (*.wav, by name) at our rate, as they would be heard. Throws Error{bad_data} where there
// is none.
std::vector<std::vector<float>> public_noises(const std::string& folder, Rng rng);

}  // namespace motet::audio
