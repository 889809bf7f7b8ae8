// Whole sounds from and to files: for mixing and for simulated rooms. Features read recordings block by block
// instead (audio_file.h).
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "motet/data/sound.h"

namespace motet {

struct SoundChoice {
  std::size_t channel = 0;  // the first is 1; 0: all of them
  double rate = 0.0;        // Hz that the sound is brought to; 0: as it is
};

// What is to be told of the recording, such as that it is cut short, goes to `warnings`. Throws as AudioReader does,
// and Error{bad_data} for an empty recording.
Sound read_sound(const std::string& path, const SoundChoice& choice, std::vector<std::string>& warnings);

// A wav of 32-bit floating point numbers: nothing is clipped, and the same sound gives the same bytes. Appears
// whole or not at all.
void write_wav(const std::string& path, const Sound& sound);

}  // namespace motet
