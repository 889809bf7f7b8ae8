// Recordings with songs embedded at random places, as section 7.1 makes them, in rows of 13 MFCC.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "experiments/discover/bird_sounds.h"
#include "motet/data/features.h"
#include "motet/discover/study/generate.h"

namespace motet::discover {

// A stretch of the background around a place, from the first row that the song would touch to the last.
struct SongPlace {
  std::size_t first_row = 0;
  std::size_t rows = 0;
  std::size_t offset = 0;  // of the song in `sound`
  std::vector<float> sound;
};

struct BirdScene {
  std::string name;     // "B1"
  Features background;  // its rows without any song
  std::vector<std::vector<float>> songs;
  std::vector<std::vector<SongPlace>> places;  // by repeat and song; songs of one repeat do not touch a common row
};

// `repeats` sets of places. Songs and places are drawn from `rng`.
BirdScene bird_scene(Background background, double seconds, std::size_t repeats, Rng rng);

// With these songs at their places of a repeat, each of equal power with what it covers (7.1) times `gain`, the
// amplification rate beta of (7.2). Class 0 is the background.
LabelledFeatures with_songs(const BirdScene& scene, std::size_t repeat, const std::vector<std::size_t>& songs,
                            double gain);

}  // namespace motet::discover
