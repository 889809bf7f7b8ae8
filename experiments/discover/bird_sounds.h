// Outdoor sounds made by the program: backgrounds and bird-like songs, in place of the recordings of chapter 7, of
// which the songs are not public.
//
// Each background is named after the recording it stands for (table 7.1): noise with slow swells, and incidents that
// nobody asked for (cracks, passing cars, horns, thunder, chimes). Songs have the pitch and the rhythm of the five
// species of table 7.2 as a field guide describes them, with pauses between notes. What is real in them is that they
// are heard over something else and last 3.5 s; how hard they are to find is of our making.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "motet/base/rng.h"

namespace motet::discover {

constexpr double bird_rate = 44100.0;  // Hz

enum class Background { storm, traffic, rain };
constexpr Background backgrounds[] = {Background::storm, Background::traffic, Background::rain};
double published_seconds(Background background);  // 651, 1419 or 713

std::vector<float> background_sound(Background background, double seconds, Rng rng);

constexpr std::size_t song_count = 5;
constexpr double song_seconds = 3.5;
std::vector<float> bird_song(std::size_t song);  // F1 is 0

}  // namespace motet::discover
