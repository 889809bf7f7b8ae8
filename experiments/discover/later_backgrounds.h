// Backgrounds that were made after all choices: those of half C. Each adds to silence.
#pragma once

#include "experiments/discover/sound_tools.h"

namespace motet::discover {

void make_frogs(double rate, Rng& rng, Wave& sound);   // a choir of croaks that stops and sets in again
void make_train(double rate, Rng& rng, Wave& sound);   // rolling, joints of the rails, speed that changes
void make_reeds(double rate, Rng& rng, Wave& sound);   // stalks that rub in the wind
void make_boiler(double rate, Rng& rng, Wave& sound);  // bubbles, a burner that turns on and off
void make_radio(double rate, Rng& rng, Wave& sound);   // static, a whistle that wanders, fading

}  // namespace motet::discover
