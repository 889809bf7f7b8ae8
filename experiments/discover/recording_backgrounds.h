// Backgrounds of made recordings, as unlike each other as the program can make them, and incidents that nobody asked
// for.
#pragma once

#include "experiments/discover/sound_tools.h"

namespace motet::discover {

enum class MadeBackground {
  rain,
  hum,
  surf,
  babble,
  drift,
  wind,
  traffic,
  insects,
  creek,
  workshop,
  frogs,
  train,
  reeds,
  boiler,
  radio
};

// Of a level of 0.05 on average (root of the mean square).
Wave made_background(MadeBackground background, double seconds, double rate, Rng rng);

// Brings the whole to that level.
void to_usual_level(Wave& sound);

// Up to three kinds of incidents, each up to three times a minute on average, in seven of ten recordings: cracks,
// something that passes, ticks, short tones, bumps.
void add_incidents(Wave& sound, double rate, Rng rng);

}  // namespace motet::discover
