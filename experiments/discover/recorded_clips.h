// Clips of the public sounds (audio/*.wav with clips.csv) as material for recordings.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "experiments/discover/sound_tools.h"

namespace motet::discover {

// By category, at one rate, without the silence at both ends (more than 50 dB below the loudest sample).
using RecordedClips = std::map<std::string, std::vector<Wave>>;

bool has_clips(const std::string& folder);  // a file clips.csv

// Nothing when the folder has no clips.
RecordedClips read_clips(const std::string& folder, double rate);

// Clips of these categories, each as loud as the others but for 3 dB, one fading over into the next within half a
// second.
Wave background_of_clips(const RecordedClips& clips, const std::vector<std::string>& categories, double seconds,
                         double rate, Rng rng);

// A clip of the category at a speed of its own, at most `longest_event` long.
Wave event_of_clips(const std::vector<Wave>& clips, double rate, Rng of_occurrence);

}  // namespace motet::discover
