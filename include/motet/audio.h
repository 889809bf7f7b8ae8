// Recordings to rows of numbers. docs/audio.md has the formulas.
#pragma once

#include <span>

#include "motet/error.h"
#include "motet/features.h"
#include "motet/options.h"

#pragma GCC visibility push(default)
namespace motet::audio {

// `motet audio features`: mel-frequency cepstral coefficients of the samples of one channel.
FeatureTable mfcc(std::span<const float> samples, double sample_rate, const Options& options = {});
OptionList mfcc_options();

}  // namespace motet::audio
#pragma GCC visibility pop
