// Sets of features out of the sound field indicators of four channels.
//
//   sfi      46 indicators in 20 bands of the whole window: 920, named P11_160 ... C24_9440
//   sfi-avg  the 20 indicators of the left side on tenths of the window, their mean: 400, ..._a10
//   sfi-std  the same, their standard deviation (10 in the denominator; of phases the circular one): 400, ..._s10
//   sfi-st   both: 800
//
// A tenth need not be whole samples: tenth i begins at sample floor(i w / 10) of the window.
#pragma once

#include "motet/audio/feature_stream.h"
#include "motet/audio/field/indicators.h"

namespace motet::audio {

constexpr FrameClock sfi_frames = {0.8, 0.8};  // as published, at 20480 Hz

// Each throws Error{usage} for less than four channels and for windows that are too short.
FeatureStream sfi_stream(const SfiOptions& options, const FrameClock& frames, const SoundShape& sound);
FeatureStream sfi_average_stream(const SfiOptions& options, const FrameClock& frames, const SoundShape& sound);
FeatureStream sfi_deviation_stream(const SfiOptions& options, const FrameClock& frames, const SoundShape& sound);
FeatureStream sfi_short_time_stream(const SfiOptions& options, const FrameClock& frames, const SoundShape& sound);

}  // namespace motet::audio
