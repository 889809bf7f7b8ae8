// The defaults of other programs, by name.
//
//   librosa     0.10: windows of 2048 samples, 512 apart, centred, 128 bands, 20 coefficients, top_db 80
//   slaney      the Auditory Toolbox: a row per window of 256 samples, 100 a second
//   kaldi       25 ms every 10 ms, 23 bands from 20 Hz, lifter 22
//   single-dft  one transform of each 0.8 s: the hearing-aid document as printed
#pragma once

#include <functional>
#include <string_view>

#include "motet/audio/mfcc_options.h"

namespace motet::audio {

enum class Preset { none, librosa, slaney, kaldi, single_dft };

// What was said holds: `is_given` tells it by the name of the option.
void apply_preset(Preset preset, MfccOptions& options, const std::function<bool(std::string_view)>& is_given);

}  // namespace motet::audio
