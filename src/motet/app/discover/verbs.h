// The verbs of `motet discover`.
#pragma once

#include <vector>

#include "motet/app/verb.h"

namespace motet::discover {

std::vector<Verb> discover_verbs();

// Those that bring labels in and out (discover_tracks.cpp), and those that play a search through
// (discover_simulate.cpp).
std::vector<Verb> discover_track_verbs();
std::vector<Verb> discover_simulate_verbs();

}  // namespace motet::discover
